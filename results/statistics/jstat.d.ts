/** What is used of jstat, which has no types of its own. */
declare const jStat: {
  readonly studentt: {
    /** The value that a t with so many degrees of freedom stays below with this probability. */
    inv(probability: number, freedom: number): number;
  };
  readonly binomial: {
    /** The probability of so many successes, or fewer, of a number of trials. */
    cdf(successes: number, count: number, probability: number): number;
  };
  readonly normal: {
    /** The value that a normal variable stays below with this probability. */
    inv(probability: number, mean: number, deviation: number): number;
  };
};
export default jStat;
