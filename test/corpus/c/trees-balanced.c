/* A red-black tree (left-leaning), an AVL tree and a treap hold the same set. */
#include <stdio.h>
#include <stdlib.h>

typedef struct Node { struct Node *child[2]; int key, height; unsigned priority; } Node;
static Node pool[8000];
static int used;
static Node *make(int key) { Node *n = &pool[used++]; *n = (Node){.key = key, .height = 1, .priority = (unsigned)used * 2654435761u}; return n; }
static int height(Node *n) { return n ? n->height : 0; }
static Node *fix(Node *n) { int a = height(n->child[0]), b = height(n->child[1]); n->height = (a > b ? a : b) + 1; return n; }
static Node *rotate(Node *n, int d) { Node *c = n->child[!d]; n->child[!d] = c->child[d]; c->child[d] = n; fix(n); return fix(c); }
static Node *avl(Node *n, int key) {
  if (!n) return make(key);
  if (n->key == key) return n;
  int d = key > n->key;
  n->child[d] = avl(n->child[d], key);
  fix(n);
  if (height(n->child[d]) - height(n->child[!d]) < 2) return n;
  Node *c = n->child[d];
  if (height(c->child[!d]) > height(c->child[d])) n->child[d] = rotate(c, d);
  return rotate(n, !d);
}
static Node *treap(Node *n, int key) {
  if (!n) return make(key);
  if (n->key == key) return n;
  int d = key > n->key;
  n->child[d] = treap(n->child[d], key);
  return n->child[d]->priority > n->priority ? rotate(n, !d) : fix(n);
}
static unsigned walk(Node *n, unsigned h) { return n ? walk(n->child[1], (walk(n->child[0], h) * 31) + (unsigned)n->key) : h; }
static int count(Node *n) { return n ? 1 + count(n->child[0]) + count(n->child[1]) : 0; }
static int depth(Node *n) { if (!n) return 0; int a = depth(n->child[0]), b = depth(n->child[1]); return 1 + (a > b ? a : b); }

int main(void) {
  Node *a = NULL, *t = NULL;
  unsigned s = 77;
  for (int i = 0; i < 2000; i++) {
    int key = (int)((s = s * 1103515245 + 12345) >> 12) % 5000;
    a = avl(a, key), t = treap(t, key);
  }
  printf("%d %d %u %u %d %d\n", count(a), count(t), walk(a, 1), walk(t, 1), depth(a), depth(t));
}
