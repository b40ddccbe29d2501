;; What is done with a word of every lane of a packet at once, four lanes an instruction. The caller owns
;; the packet: plain accesses. `byte` is where the column begins, `count` how many lanes it has.
(module
  (import "packets" "memory" (memory 1 65536 shared))

  (func (export "fill") (param $byte i32) (param $count i32) (param $value i32)
    (local $end i32)
    (local $values v128)
    (local.set $values (i32x4.splat (local.get $value)))
    (local.set $end (call $fours (local.get $byte) (local.get $count)))
    (block $over
      (loop $more
        (br_if $over (i32.eq (local.get $byte) (local.get $end)))
        (v128.store (local.get $byte) (local.get $values))
        (local.set $byte (i32.add (local.get $byte) (i32.const 16)))
        (br $more)))
    (local.set $end (call $rest (local.get $byte) (local.get $count)))
    (block $over
      (loop $more
        (br_if $over (i32.eq (local.get $byte) (local.get $end)))
        (i32.store (local.get $byte) (local.get $value))
        (local.set $byte (i32.add (local.get $byte) (i32.const 4)))
        (br $more))))

  (func (export "add") (param $byte i32) (param $count i32) (param $value i32)
    (local $end i32)
    (local $values v128)
    (local.set $values (i32x4.splat (local.get $value)))
    (local.set $end (call $fours (local.get $byte) (local.get $count)))
    (block $over
      (loop $more
        (br_if $over (i32.eq (local.get $byte) (local.get $end)))
        (v128.store
          (local.get $byte)
          (i32x4.add (v128.load (local.get $byte)) (local.get $values)))
        (local.set $byte (i32.add (local.get $byte) (i32.const 16)))
        (br $more)))
    (local.set $end (call $rest (local.get $byte) (local.get $count)))
    (block $over
      (loop $more
        (br_if $over (i32.eq (local.get $byte) (local.get $end)))
        (i32.store
          (local.get $byte)
          (i32.add (i32.load (local.get $byte)) (local.get $value)))
        (local.set $byte (i32.add (local.get $byte) (i32.const 4)))
        (br $more))))

  ;; Whether each is the value.
  (func (export "equals") (param $byte i32) (param $count i32) (param $value i32) (result i32)
    (local $end i32)
    (local $values v128)
    (local $other v128)
    (local.set $values (i32x4.splat (local.get $value)))
    (local.set $end (call $fours (local.get $byte) (local.get $count)))
    (block $over
      (loop $more
        (br_if $over (i32.eq (local.get $byte) (local.get $end)))
        (local.set $other
          (v128.or
            (local.get $other)
            (v128.xor (v128.load (local.get $byte)) (local.get $values))))
        (local.set $byte (i32.add (local.get $byte) (i32.const 16)))
        (br $more)))
    (if (v128.any_true (local.get $other)) (then (return (i32.const 0))))
    (local.set $end (call $rest (local.get $byte) (local.get $count)))
    (block $over
      (loop $more
        (br_if $over (i32.eq (local.get $byte) (local.get $end)))
        (if (i32.ne (i32.load (local.get $byte)) (local.get $value))
          (then (return (i32.const 0))))
        (local.set $byte (i32.add (local.get $byte) (i32.const 4)))
        (br $more)))
    (i32.const 1))

  ;; Where the last whole four of a column ends.
  (func $fours (param $byte i32) (param $count i32) (result i32)
    (i32.add
      (local.get $byte)
      (i32.shl (i32.and (local.get $count) (i32.const -4)) (i32.const 2))))

  ;; Where a column ends, from behind its fours.
  (func $rest (param $byte i32) (param $count i32) (result i32)
    (i32.add
      (local.get $byte)
      (i32.shl (i32.and (local.get $count) (i32.const 3)) (i32.const 2)))))
