/* Linked lists: build, reverse, merge sort, remove, a ring for the Josephus problem, pointer chasing. */
#include <stdio.h>

struct link {
  struct link *next;
  int value;
};
static struct link pool[256];

static struct link *merge(struct link *a, struct link *b) {
  struct link head, *tail = &head;
  while (a != NULL && b != NULL) {
    struct link **least = a->value <= b->value ? &a : &b;
    tail = tail->next = *least;
    *least = (*least)->next;
  }
  tail->next = a != NULL ? a : b;
  return head.next;
}

static struct link *sort(struct link *list) {
  if (list == NULL || list->next == NULL) return list;
  struct link *slow = list, *fast = list->next;
  while (fast != NULL && fast->next != NULL) {
    slow = slow->next;
    fast = fast->next->next;
  }
  struct link *second = slow->next;
  slow->next = NULL;
  return merge(sort(list), sort(second));
}

static struct link *reverse(struct link *list) {
  struct link *done = NULL;
  while (list != NULL) {
    struct link *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}

int main(void) {
  struct link *list = NULL;
  for (int i = 0; i < 256; i++) {
    pool[i] = (struct link){list, i * 97 % 251};
    list = &pool[i];
  }
  list = reverse(sort(list));
  for (struct link **at = &list; *at != NULL;)
    if ((*at)->value % 3 == 0) *at = (*at)->next;
    else at = &(*at)->next;
  unsigned digest = 0;
  int length = 0;
  struct link *last = list;
  for (struct link *l = list; l != NULL; l = l->next, length++) {
    digest = digest * 31 + (unsigned)l->value;
    last = l;
  }
  last->next = list;
  for (struct link *l = last; l->next != l;) {
    l = l->next->next;
    l->next = l->next->next;
    last = l;
  }
  printf("%d %u %d\n", length, digest, last->value);
  return 0;
}
