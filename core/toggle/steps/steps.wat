;; The steps of a call on the memory of a channel: what `Mailboxes`, `OwnerLocks` and `Hints` do, each step in
;; one piece. JavaScript calls a function for each atomic access; here they are single instructions. Every
;; access has its comment beside its twin there, and the explorer visits these functions, too (see
;; `stepsOf`), so that only the order of the accesses has to be kept. All are bounded.
;;
;; The other side's words, and those of other workers, are read atomically, which costs nothing here; plain
;; are those of the holder of the lock. An index is one of the channel: the caller has checked it.
;; "c" is the channel: names are bytes that every page loads.
(module
  (import "c" "memory" (memory 1 65536 shared))
  (import "c" "ownerId" (global $ownerId i32))
  ;; `inbox ^ outbox` when this side owns the buffer.
  (import "c" "ownedXor" (global $ownedXor i32))
  (import "c" "portCount" (global $portCount i32))
  ;; 0 where servers look at every port.
  (import "c" "hintWordCount" (global $hintWordCount i32))
  (import "c" "hintShift" (global $hintShift i32))
  ;; Where the regions begin.
  (import "c" "lock" (global $lockByte i32))
  (import "c" "inbox" (global $inboxByte i32))
  (import "c" "outbox" (global $outboxByte i32))
  (import "c" "turn" (global $turnByte i32))
  (import "c" "parked" (global $peerParkedByte i32))
  (import "c" "hint" (global $hintByte i32))
  (import "c" "status" (global $statusByte i32))
  ;; Bytes from one port's mailbox, and header, to the next.
  (import "c" "mailStride" (global $mailStride i32))
  (import "c" "headStride" (global $headStride i32))

  (func $word (param $region i32) (param $index i32) (result i32)
    (i32.add (local.get $region) (i32.shl (local.get $index) (i32.const 2))))

  (func $mail (param $region i32) (param $index i32) (result i32)
    (i32.add (local.get $region) (i32.mul (local.get $index) (global.get $mailStride))))

  (func $owns (param $index i32) (result i32)
    (i32.eq
      (i32.xor
        (i32.atomic.load (call $mail (global.get $inboxByte) (local.get $index)))
        (i32.load (call $word (global.get $turnByte) (local.get $index))))
      (global.get $ownedXor)))

  ;; Locks the port if it is free and this side owns its buffer.
  ;; Its index. -1: another worker has it. Below: -2 - index is locked, but the other side has the buffer.
  (func $claim (export "claim") (param $index i32) (result i32)
    (if
      (i32.atomic.rmw.cmpxchg
        (call $word (global.get $lockByte) (local.get $index))
        (i32.const 0)
        (global.get $ownerId))
      (then (return (i32.const -1))))
    (if (call $owns (local.get $index)) (then (return (local.get $index))))
    (i32.sub (i32.const -2) (local.get $index)))

  ;; Drops the lock. Returns the marks of those who are to be woken.
  (func $release (export "release") (param $index i32) (result i32)
    (i32.xor
      (i32.atomic.rmw.xchg
        (call $word (global.get $lockByte) (local.get $index))
        (i32.const 0))
      (global.get $ownerId)))

  ;; Gives the buffer away. Returns the value of the outbox.
  (func $give (param $index i32) (result i32)
    (local $byte i32)
    (local $turn i32)
    (local.set $byte (call $word (global.get $turnByte) (local.get $index)))
    (local.set $turn (i32.xor (i32.load (local.get $byte)) (i32.const 1)))
    (i32.store (local.get $byte) (local.get $turn))
    (i32.atomic.store
      (call $mail (global.get $outboxByte) (local.get $index))
      (local.get $turn))
    (local.get $turn))

  ;; Between two looks, another time after each. Who looks at a line takes it from who fills it; looks in a fixed
  ;; beat can fall into step with its stores, and each store then waits for the line once more. Seen between far
  ;; processors: half of all pairs of workers took 2.1 round trips of two flags a call, the others 0.85, and with
  ;; these pauses all take 0.85. They cost near ones nothing.
  (func $pause (param $look i32)
    (local.set $look
      (i32.add (i32.const 1) (i32.and (local.get $look) (i32.const 15))))
    (local.set $look (i32.shl (local.get $look) (i32.const 3)))
    (loop $idle
      (local.set $look (i32.sub (local.get $look) (i32.const 1)))
      (br_if $idle (local.get $look))))

  ;; A client's: gives the buffer away and waits a burst for its return.
  ;; 0: it is here, and its status is good. 1: here, with another status. 2: not yet here.
  ;; 3: the port's hint was not set, or there are none, and nothing was waited for.
  (func (export "call") (param $index i32) (param $polls i32) (result i32)
    (local $byte i32)
    (local $turn i32)
    (local $group i32)
    (local.set $turn (call $give (local.get $index)))
    (if (i32.eqz (global.get $hintWordCount)) (then (return (i32.const 3))))
    (local.set $group (i32.shr_u (local.get $index) (global.get $hintShift)))
    (if
      (i32.eqz
        (i32.and
          (i32.atomic.load
            (call $word (global.get $hintByte) (i32.shr_u (local.get $group) (i32.const 5))))
          (i32.shl (i32.const 1) (local.get $group))))
      (then (return (i32.const 3))))
    (local.set $byte (call $mail (global.get $inboxByte) (local.get $index)))
    (block $over
      (loop $poll
        (br_if $over (i32.eqz (local.get $polls)))
        (if (i32.eq (i32.atomic.load (local.get $byte)) (local.get $turn))
          (then
            (return
              (i32.ne
                (i32.const 0)
                (i32.load
                  (i32.add
                    (global.get $statusByte)
                    (i32.mul (local.get $index) (global.get $headStride))))))))
        (call $pause (local.get $polls))
        (local.set $polls (i32.sub (local.get $polls) (i32.const 1)))
        (br $poll)))
    (i32.const 2))

  ;; Whether nobody holds the port and this side seems to own its buffer.
  (func $looksReady (param $index i32) (result i32)
    (i32.and
      (call $owns (local.get $index))
      (i32.eqz (i32.atomic.load (call $word (global.get $lockByte) (local.get $index))))))

  ;; A server's: claims a port with work, as `Hints.find` or a scan has it, or the one that is `last`, at which it
  ;; glances so many times. As $claim; -1 also when there was none.
  (func (export "find") (param $start i32) (param $last i32) (param $glances i32) (result i32)
    (local $index i32)
    (if (global.get $hintWordCount)
      (then (local.set $index (call $hinted (local.get $start))))
      (else
        (local.set $index (call $scan (local.get $start) (global.get $portCount)))
        (if (i32.lt_s (local.get $index) (i32.const 0))
          (then (local.set $index (call $scan (i32.const 0) (local.get $start)))))))
    (if (i32.ge_s (local.get $index) (i32.const 0))
      (then (return (call $claim (local.get $index)))))
    (block $over
      (loop $glance
        (br_if $over (i32.eqz (local.get $glances)))
        (if (call $looksReady (local.get $last))
          (then (return (call $claim (local.get $last)))))
        (call $pause (local.get $glances))
        (local.set $glances (i32.sub (local.get $glances) (i32.const 1)))
        (br $glance)))
    (i32.const -1))

  ;; The first port from `index` on, before `end`, that looks ready; -1 for none. Four mailboxes at once, where
  ;; they are neighbours, tell only which ports are worth a look of their own.
  ;; Sync: those reads have no order: a yes is looked at again by atomic loads, and under the lock. A no may be
  ;; of a moment ago, as that of any port that a search has passed: the next search comes behind atomic loads
  ;; (the channel's state, the glances), and reads anew. Who slept on such a no would sleep through a call:
  ;; before that `findLast` looks at each port in order.
  (func $scan (param $index i32) (param $end i32) (result i32)
    (local $next i32)
    (loop $fours
      (local.set $next (i32.add (local.get $index) (i32.const 4)))
      (if (i32.gt_u (local.get $next) (local.get $end)) (then (local.set $next (local.get $end))))
      (if
        (i32.and
          (i32.eq (global.get $mailStride) (i32.const 4))
          (i32.eq (i32.sub (local.get $next) (local.get $index)) (i32.const 4)))
        (then
          (if
            (i32.eqz
              (v128.any_true
                (v128.xor
                  (v128.load (call $word (global.get $inboxByte) (local.get $index)))
                  (v128.load (call $word (global.get $turnByte) (local.get $index))))))
            (then
              (local.set $index (local.get $next))
              (br $fours)))))
      (loop $ports
        (if (i32.lt_u (local.get $index) (local.get $next))
          (then
            (if (call $looksReady (local.get $index)) (then (return (local.get $index))))
            (local.set $index (i32.add (local.get $index) (i32.const 1)))
            (br $ports))))
      (br_if $fours (i32.lt_u (local.get $index) (local.get $end))))
    (i32.const -1))

  ;; The first port from `start` on, in cyclic order, that looks ready in a group with a hint; -1 for none.
  (func $hinted (param $start i32) (result i32)
    (local $step i32)
    (local $word i32)
    (local $bits i32)
    (local $rest i32)
    (local $index i32)
    (local $end i32)
    (local.set $rest (i32.shr_u (local.get $start) (global.get $hintShift)))
    (local.set $word (i32.shr_u (local.get $rest) (i32.const 5)))
    (local.set $bits (i32.shl (i32.const -1) (local.get $rest)))
    (loop $words
      (local.set $bits
        (i32.and
          (select (i32.const -1) (local.get $bits) (local.get $step))
          (i32.atomic.load (call $word (global.get $hintByte) (local.get $word)))))
      (block $empty
        (loop $groups
          (br_if $empty (i32.eqz (local.get $bits)))
          ;; Neighbours with hints are one stretch: the lowest ones of the bits, which a carry clears.
          (local.set $rest
            (i32.and
              (local.get $bits)
              (i32.add (local.get $bits)
                (i32.and (local.get $bits) (i32.sub (i32.const 0) (local.get $bits))))))
          (local.set $index
            (i32.shl
              (i32.add
                (i32.shl (local.get $word) (i32.const 5))
                (i32.ctz (local.get $bits)))
              (global.get $hintShift)))
          (local.set $end
            (i32.add
              (local.get $index)
              (i32.shl
                (i32.popcnt (i32.xor (local.get $bits) (local.get $rest)))
                (global.get $hintShift))))
          (local.set $bits (local.get $rest))
          (if (i32.gt_u (local.get $end) (global.get $portCount))
            (then (local.set $end (global.get $portCount))))
          (if (i32.and (i32.eqz (local.get $step)) (i32.lt_u (local.get $index) (local.get $start)))
            (then (local.set $index (local.get $start))))
          (local.set $index (call $scan (local.get $index) (local.get $end)))
          (if (i32.ge_s (local.get $index) (i32.const 0)) (then (return (local.get $index))))
          (br $groups)))
      (local.set $word (i32.add (local.get $word) (i32.const 1)))
      (if (i32.ge_u (local.get $word) (global.get $hintWordCount))
        (then (local.set $word (i32.const 0))))
      (local.set $step (i32.add (local.get $step) (i32.const 1)))
      (br_if $words (i32.le_u (local.get $step) (global.get $hintWordCount))))
    (i32.const -1))

  ;; A server's: gives the buffer back and drops the lock, as $release.
  ;; -1: the client sleeps, and the lock is still held.
  (func (export "handBack") (param $index i32) (result i32)
    (drop (call $give (local.get $index)))
    (if (i32.atomic.load (call $word (global.get $peerParkedByte) (local.get $index)))
      (then (return (i32.const -1))))
    (call $release (local.get $index))))
