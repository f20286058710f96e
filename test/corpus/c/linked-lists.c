/* Lists: reversal, merge sort, cycles, intrusive and doubly linked ones, Josephus, polynomials. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Node { int v; struct Node *next; } Node;
static Node *push(Node *n, int v) { Node *h = malloc(sizeof *h); *h = (Node){v, n}; return h; }
static Node *reverse(Node *n) { Node *r = NULL; while (n) { Node *t = n->next; n->next = r; r = n; n = t; } return r; }
static Node *merge(Node *a, Node *b) {
  Node head, *t = &head;
  while (a && b) { Node **s = a->v <= b->v ? &a : &b; t = t->next = *s; *s = (*s)->next; }
  t->next = a ? a : b;
  return head.next;
}
static Node *sort(Node *n) {
  if (!n || !n->next) return n;
  Node *slow = n, *fast = n->next;
  while (fast && fast->next) slow = slow->next, fast = fast->next->next;
  Node *b = slow->next;
  slow->next = NULL;
  return merge(sort(n), sort(b));
}
struct Link { struct Link *prev, *next; };
struct Job { int priority; struct Link link; };
#define JOB(l) ((struct Job *)((char *)(l) - offsetof(struct Job, link)))

int main(void) {
  Node *list = NULL;
  for (int i = 0; i < 500; i++) list = push(list, i * 7919 % 503);
  list = reverse(sort(list));
  long hash = 0;
  for (Node *n = list; n; n = n->next) hash = (hash * 31 + n->v) % 1000000007;
  Node *last = list;
  while (last->next) last = last->next;
  last->next = list->next->next;
  Node *slow = list, *fast = list;
  int steps = 0;
  do slow = slow->next, fast = fast->next->next, steps++; while (slow != fast);
  struct Link ring = {&ring, &ring};
  static struct Job jobs[41];
  for (int i = 0; i < 41; i++) { jobs[i].priority = i; struct Link *l = &jobs[i].link; l->prev = ring.prev, l->next = &ring, ring.prev->next = l, ring.prev = l; }
  struct Link *at = &ring;
  int left = 41, order = 0;
  while (left > 1) {
    for (int k = 0; k < 3; k++) if ((at = at->next) == &ring) at = at->next;
    order = (order * 7 + JOB(at)->priority) % 10007;
    at->prev->next = at->next, at->next->prev = at->prev, at = at->prev, left--;
  }
  printf("%ld %d %d %d\n", hash, steps, order, JOB(ring.next)->priority);
}
