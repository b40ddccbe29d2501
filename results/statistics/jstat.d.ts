/** What is used of jstat, which has no types of its own. */
declare const jStat: {
  readonly studentt: {
    /** The value that a t with so many degrees of freedom stays below with this probability. */
    inv(probability: number, freedom: number): number;
  };
};
export default jStat;
