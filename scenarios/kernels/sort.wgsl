// Prints its arguments in order: a linked list in memory of malloc.
//   deno task run scenarios/kernels/sort.wgsl -- pear apple fig

// A node of the list: the address of the next one, and of its text.
const NEXT = 0u;
const TEXT = 4u;
const NODE_BYTES = 8u;

fn new_node(next: u32, text: u32) -> u32 {
  let node = malloc(NODE_BYTES);
  if node == 0u {
    fputs("sort: no memory left\n", stderr());
    exit(1);
  }
  heap_set_u32(node + NEXT, next);
  heap_set_u32(node + TEXT, text);
  return node;
}

// The last node whose text comes before this one, or the head of the list.
fn place_of(head: u32, text: u32) -> u32 {
  var node = head;
  loop {
    let next = heap_u32(node + NEXT);
    if next == 0u || strcmp(heap_u32(next + TEXT), text) > 0 { return node; }
    node = next;
  }
  return node;
}

fn main(argc: u32, argv: u32) -> i32 {
  let head = new_node(0u, 0u);
  for (var at = 1u; at < argc; at++) {
    let text = heap_u32(argv + 4u * at);
    let before = place_of(head, text);
    heap_set_u32(before + NEXT, new_node(heap_u32(before + NEXT), text));
  }
  for (var node = head; node != 0u; ) {
    if node != head { puts(heap_u32(node + TEXT)); }
    let next = heap_u32(node + NEXT);
    free(node);
    node = next;
  }
  return 0;
}
