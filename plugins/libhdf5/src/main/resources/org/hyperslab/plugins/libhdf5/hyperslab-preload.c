/*
 * A library to preload (LD_PRELOAD) in programs whose files are opened by connectors of this project.
 * libhdf5 answers some functions for its native connector alone, though all that they need can be had
 * from any connector: the first versions of link and object functions, references before 1.12, and the
 * question whether an object is native. Here they are for objects of our connectors, over public
 * functions of later versions; for all other objects, libhdf5's own are called.
 *
 * Nothing of HDF5 is needed to build it: the types are declared as its public headers have them, with
 * names of their own; they are the same in 1.14 and 2.x.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>

typedef int64_t id_t64;                         /* hid_t */
typedef int status;                             /* herr_t */
typedef struct { uint8_t bytes[16]; } token;    /* H5O_token_t */
typedef struct { uint64_t index, heap; } store; /* H5_ih_info_t */

typedef struct { /* H5L_info1_t */
  int type;
  bool has_order;
  int64_t order;
  int charset;
  union { uint64_t address; size_t length; } u;
} link1;

typedef struct { /* H5L_info2_t */
  int type;
  bool has_order;
  int64_t order;
  int charset;
  union { token token; size_t length; } u;
} link2;

typedef struct { /* H5O_hdr_info_t */
  unsigned version, messages, chunks, flags;
  uint64_t total, meta, message, unused, present, shared;
} header;

typedef struct { /* H5O_native_info_t */
  header header;
  store of_object, of_attributes;
} stored;

typedef struct { /* H5O_info1_t */
  unsigned long file;
  uint64_t address;
  int type;
  unsigned references;
  time_t accessed, modified, changed, born;
  uint64_t attributes;
  stored stored;
} object1;

typedef struct { /* H5O_info2_t */
  unsigned long file;
  token token;
  int type;
  unsigned references;
  time_t accessed, modified, changed, born;
  uint64_t attributes;
} object2;

typedef status (*visit_link1)(id_t64, const char *, const link1 *, void *);
typedef status (*visit_link2)(id_t64, const char *, const link2 *, void *);
typedef status (*visit_object1)(id_t64, const char *, const object1 *, void *);
typedef status (*visit_object2)(id_t64, const char *, const object2 *, void *);

enum { HARD = 0, DEFAULT = 0, FAILED = -1 };
enum { BASIC = 1, OF_ANY_CONNECTOR = 0x7, NATIVE = 0x18, ALL = 0x1F };  /* H5O_INFO_... */
enum { OBJECT = 0, REGION = 1 };                                        /* H5R_OBJECT1, H5R_DATASET_REGION1 */
enum { ADDRESS_BYTES = 8, CALLERS = 8 };
enum { ENCODED_HEAD = 7 };  /* of a dataspace: kind, version, size of sizes, length of the extent that follows */

/* The functions that libhdf5 has, by the library that calls: a process may have several libhdf5. */
struct caller { const void *base; void *library; };
static __thread void *calling;

/* Returns a library that a function of libhdf5 is searched in, and what it depends on. */
static void *library_of(const void *address) {
  static __thread struct caller known[CALLERS];
  static __thread unsigned next;
  Dl_info where;
  if (dladdr(address, &where) == 0) return NULL;
  for (int i = 0; i < CALLERS; i++)
    if (known[i].base == where.dli_fbase) return known[i].library;
  struct caller found = {where.dli_fbase, dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD)};
  known[next++ % CALLERS] = found;
  return found.library;
}

/* Returns a function of the libhdf5 that the caller uses, not one of this file. */
static void *function(const char *name) {
  void *found = calling == NULL ? NULL : dlsym(calling, name);
  Dl_info there, here;
  if (found != NULL && dladdr(found, &there) != 0 && dladdr((void *)library_of, &here) != 0 &&
      there.dli_fbase != here.dli_fbase)
    return found;
  return dlsym(RTLD_NEXT, name);
}

/* Returns a variable of libhdf5. A program may have a copy of it, which the library then uses. */
static void *variable(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  return found != NULL ? found : function(name);
}

#define LIBHDF5(result, name, ...) ((result (*)(__VA_ARGS__))function(#name))
#define ENTER() (calling = library_of(__builtin_return_address(0)))

/* Whether an object belongs to a connector of this project. */
static bool is_ours(id_t64 id) {
  ssize_t (*connector_name)(id_t64, char *, size_t) = LIBHDF5(ssize_t, H5VLget_connector_name, id_t64, char *, size_t);
  char name[16] = "";
  return connector_name != NULL && connector_name(id, name, sizeof name) > 0 && strcmp(name, "hyperslab") == 0;
}

/* Puts an error on libhdf5's stack, as its own functions do. */
static status failure(const char *function_name, const char *text) {
  status (*push)(id_t64, const char *, const char *, unsigned, id_t64, id_t64, id_t64, const char *, ...) =
      LIBHDF5(status, H5Epush2, id_t64, const char *, const char *, unsigned, id_t64, id_t64, id_t64, const char *, ...);
  id_t64 *of_library = variable("H5E_ERR_CLS_g"), *of_references = variable("H5E_REFERENCE_g"),
         *of_values = variable("H5E_BADVALUE_g");
  if (push != NULL && of_library != NULL && of_references != NULL && of_values != NULL)
    push(DEFAULT, "hyperslab-preload.c", function_name, 0, *of_library, *of_references, *of_values, "%s", text);
  return FAILED;
}

static uint64_t address_of(const token *of) {
  uint64_t address;
  memcpy(&address, of->bytes, ADDRESS_BYTES);
  return address;
}

/* ---- links ---- */

static link1 first_link(const link2 *from) {
  link1 to;
  memset(&to, 0, sizeof to);
  to.type = from->type, to.has_order = from->has_order, to.order = from->order, to.charset = from->charset;
  if (from->type == HARD)
    to.u.address = address_of(&from->u.token);
  else
    to.u.length = from->u.length;
  return to;
}

struct link_visitor { visit_link1 visit; void *data, *calling; };

static status visit_link(id_t64 group, const char *name, const link2 *info, void *data) {
  struct link_visitor *visitor = data;
  link1 first = first_link(info);
  status result = visitor->visit(group, name, &first, visitor->data);
  calling = visitor->calling; /* what is visited may have called functions of this file */
  return result;
}

status H5Literate1(id_t64 group, int index, int order, uint64_t *at, visit_link1 visit, void *data) {
  ENTER();
  if (!is_ours(group))
    return LIBHDF5(status, H5Literate1, id_t64, int, int, uint64_t *, visit_link1, void *)(group, index, order, at, visit, data);
  struct link_visitor visitor = {visit, data, calling};
  return LIBHDF5(status, H5Literate2, id_t64, int, int, uint64_t *, visit_link2, void *)(
      group, index, order, at, visit == NULL ? NULL : visit_link, &visitor);
}

status H5Literate_by_name1(id_t64 group, const char *name, int index, int order, uint64_t *at, visit_link1 visit,
                           void *data, id_t64 access) {
  ENTER();
  if (!is_ours(group))
    return LIBHDF5(status, H5Literate_by_name1, id_t64, const char *, int, int, uint64_t *, visit_link1, void *, id_t64)(
        group, name, index, order, at, visit, data, access);
  struct link_visitor visitor = {visit, data, calling};
  return LIBHDF5(status, H5Literate_by_name2, id_t64, const char *, int, int, uint64_t *, visit_link2, void *, id_t64)(
      group, name, index, order, at, visit == NULL ? NULL : visit_link, &visitor, access);
}

status H5Lvisit1(id_t64 group, int index, int order, visit_link1 visit, void *data) {
  ENTER();
  if (!is_ours(group))
    return LIBHDF5(status, H5Lvisit1, id_t64, int, int, visit_link1, void *)(group, index, order, visit, data);
  struct link_visitor visitor = {visit, data, calling};
  return LIBHDF5(status, H5Lvisit2, id_t64, int, int, visit_link2, void *)(
      group, index, order, visit == NULL ? NULL : visit_link, &visitor);
}

status H5Lvisit_by_name1(id_t64 group, const char *name, int index, int order, visit_link1 visit, void *data,
                         id_t64 access) {
  ENTER();
  if (!is_ours(group))
    return LIBHDF5(status, H5Lvisit_by_name1, id_t64, const char *, int, int, visit_link1, void *, id_t64)(
        group, name, index, order, visit, data, access);
  struct link_visitor visitor = {visit, data, calling};
  return LIBHDF5(status, H5Lvisit_by_name2, id_t64, const char *, int, int, visit_link2, void *, id_t64)(
      group, name, index, order, visit == NULL ? NULL : visit_link, &visitor, access);
}

status H5Lget_info1(id_t64 at, const char *name, link1 *info, id_t64 access) {
  ENTER();
  if (!is_ours(at)) return LIBHDF5(status, H5Lget_info1, id_t64, const char *, link1 *, id_t64)(at, name, info, access);
  link2 second;
  status result = LIBHDF5(status, H5Lget_info2, id_t64, const char *, link2 *, id_t64)(at, name, &second, access);
  if (result >= 0 && info != NULL) *info = first_link(&second);
  return result;
}

status H5Lget_info_by_idx1(id_t64 at, const char *group, int index, int order, uint64_t place, link1 *info,
                           id_t64 access) {
  ENTER();
  if (!is_ours(at))
    return LIBHDF5(status, H5Lget_info_by_idx1, id_t64, const char *, int, int, uint64_t, link1 *, id_t64)(
        at, group, index, order, place, info, access);
  link2 second;
  status result = LIBHDF5(status, H5Lget_info_by_idx2, id_t64, const char *, int, int, uint64_t, link2 *, id_t64)(
      at, group, index, order, place, &second, access);
  if (result >= 0 && info != NULL) *info = first_link(&second);
  return result;
}

/* ---- objects ---- */

/* How an object is stored; zeros if its connector does not know. */
static stored how_stored(id_t64 at, const char *name, unsigned fields, id_t64 access) {
  typedef status (*print)(id_t64, void *);
  stored found;
  print handler = NULL;
  void *of_handler = NULL;
  memset(&found, 0, sizeof found);
  if ((fields & NATIVE) == 0) return found;
  LIBHDF5(status, H5Eget_auto2, id_t64, print *, void **)(DEFAULT, &handler, &of_handler);
  LIBHDF5(status, H5Eset_auto2, id_t64, print, void *)(DEFAULT, NULL, NULL);
  status result =
      LIBHDF5(status, H5Oget_native_info_by_name, id_t64, const char *, stored *, unsigned, id_t64)(
          at, name, &found, fields & NATIVE, access);
  if (result < 0) memset(&found, 0, sizeof found);
  LIBHDF5(status, H5Eset_auto2, id_t64, print, void *)(DEFAULT, handler, of_handler);
  return found;
}

static object1 first_object(const object2 *from, const stored *of) {
  object1 to;
  memset(&to, 0, sizeof to);
  to.file = from->file, to.address = address_of(&from->token), to.type = from->type;
  to.references = from->references, to.attributes = from->attributes;
  to.accessed = from->accessed, to.modified = from->modified, to.changed = from->changed, to.born = from->born;
  to.stored = *of;
  return to;
}

static status object_info(id_t64 at, const char *name, object1 *info, unsigned fields, id_t64 access) {
  object2 second;
  if (info == NULL || (fields & ~(unsigned)ALL) != 0) return failure("H5Oget_info", "no room for the information, or unknown fields");
  memset(&second, 0, sizeof second);
  status result = LIBHDF5(status, H5Oget_info_by_name3, id_t64, const char *, object2 *, unsigned, id_t64)(
      at, name, &second, (fields & OF_ANY_CONNECTOR) | BASIC, access);
  if (result < 0) return result;
  stored of = how_stored(at, name, fields, access);
  *info = first_object(&second, &of);
  return result;
}

status H5Oget_info1(id_t64 object, object1 *info) {
  ENTER();
  if (!is_ours(object)) return LIBHDF5(status, H5Oget_info1, id_t64, object1 *)(object, info);
  return object_info(object, ".", info, ALL, DEFAULT);
}

status H5Oget_info2(id_t64 object, object1 *info, unsigned fields) {
  ENTER();
  if (!is_ours(object)) return LIBHDF5(status, H5Oget_info2, id_t64, object1 *, unsigned)(object, info, fields);
  return object_info(object, ".", info, fields, DEFAULT);
}

status H5Oget_info_by_name1(id_t64 at, const char *name, object1 *info, id_t64 access) {
  ENTER();
  if (!is_ours(at))
    return LIBHDF5(status, H5Oget_info_by_name1, id_t64, const char *, object1 *, id_t64)(at, name, info, access);
  return object_info(at, name, info, ALL, access);
}

status H5Oget_info_by_name2(id_t64 at, const char *name, object1 *info, unsigned fields, id_t64 access) {
  ENTER();
  if (!is_ours(at))
    return LIBHDF5(status, H5Oget_info_by_name2, id_t64, const char *, object1 *, unsigned, id_t64)(at, name, info, fields, access);
  return object_info(at, name, info, fields, access);
}

static status info_by_index(id_t64 at, const char *group, int index, int order, uint64_t place, object1 *info,
                            unsigned fields, id_t64 access) {
  id_t64 object = LIBHDF5(id_t64, H5Oopen_by_idx, id_t64, const char *, int, int, uint64_t, id_t64)(
      at, group, index, order, place, access);
  if (object < 0) return FAILED;
  status result = object_info(object, ".", info, fields, DEFAULT);
  LIBHDF5(status, H5Oclose, id_t64)(object);
  return result;
}

status H5Oget_info_by_idx1(id_t64 at, const char *group, int index, int order, uint64_t place, object1 *info,
                           id_t64 access) {
  ENTER();
  if (!is_ours(at))
    return LIBHDF5(status, H5Oget_info_by_idx1, id_t64, const char *, int, int, uint64_t, object1 *, id_t64)(
        at, group, index, order, place, info, access);
  return info_by_index(at, group, index, order, place, info, ALL, access);
}

status H5Oget_info_by_idx2(id_t64 at, const char *group, int index, int order, uint64_t place, object1 *info,
                           unsigned fields, id_t64 access) {
  ENTER();
  if (!is_ours(at))
    return LIBHDF5(status, H5Oget_info_by_idx2, id_t64, const char *, int, int, uint64_t, object1 *, unsigned, id_t64)(
        at, group, index, order, place, info, fields, access);
  return info_by_index(at, group, index, order, place, info, fields, access);
}

struct object_visitor { visit_object1 visit; void *data, *calling; unsigned fields; };

static status visit_object(id_t64 at, const char *name, const object2 *info, void *data) {
  struct object_visitor *visitor = data;
  stored of = how_stored(at, name, visitor->fields, DEFAULT);
  object1 first = first_object(info, &of);
  status result = visitor->visit(at, name, &first, visitor->data);
  calling = visitor->calling; /* what is visited may have called functions of this file */
  return result;
}

static status visit_objects(id_t64 at, const char *name, int index, int order, visit_object1 visit, void *data,
                            unsigned fields, id_t64 access) {
  struct object_visitor visitor = {visit, data, calling, fields};
  if ((fields & ~(unsigned)ALL) != 0) return failure("H5Ovisit", "unknown fields");
  return LIBHDF5(status, H5Ovisit_by_name3, id_t64, const char *, int, int, visit_object2, void *, unsigned, id_t64)(
      at, name, index, order, visit == NULL ? NULL : visit_object, &visitor, (fields & OF_ANY_CONNECTOR) | BASIC, access);
}

status H5Ovisit1(id_t64 object, int index, int order, visit_object1 visit, void *data) {
  ENTER();
  if (!is_ours(object))
    return LIBHDF5(status, H5Ovisit1, id_t64, int, int, visit_object1, void *)(object, index, order, visit, data);
  return visit_objects(object, ".", index, order, visit, data, ALL, DEFAULT);
}

status H5Ovisit2(id_t64 object, int index, int order, visit_object1 visit, void *data, unsigned fields) {
  ENTER();
  if (!is_ours(object))
    return LIBHDF5(status, H5Ovisit2, id_t64, int, int, visit_object1, void *, unsigned)(object, index, order, visit, data, fields);
  return visit_objects(object, ".", index, order, visit, data, fields, DEFAULT);
}

status H5Ovisit_by_name1(id_t64 at, const char *name, int index, int order, visit_object1 visit, void *data,
                         id_t64 access) {
  ENTER();
  if (!is_ours(at))
    return LIBHDF5(status, H5Ovisit_by_name1, id_t64, const char *, int, int, visit_object1, void *, id_t64)(
        at, name, index, order, visit, data, access);
  return visit_objects(at, name, index, order, visit, data, ALL, access);
}

status H5Ovisit_by_name2(id_t64 at, const char *name, int index, int order, visit_object1 visit, void *data,
                         unsigned fields, id_t64 access) {
  ENTER();
  if (!is_ours(at))
    return LIBHDF5(status, H5Ovisit_by_name2, id_t64, const char *, int, int, visit_object1, void *, unsigned, id_t64)(
        at, name, index, order, visit, data, fields, access);
  return visit_objects(at, name, index, order, visit, data, fields, access);
}

/* Opens the object with an address. */
static id_t64 opened(id_t64 at, uint64_t address) {
  token of;
  memset(&of, 0, sizeof of);
  memcpy(of.bytes, &address, ADDRESS_BYTES);
  return LIBHDF5(id_t64, H5Oopen_by_token, id_t64, token)(at, of);
}

id_t64 H5Oopen_by_addr(id_t64 at, uint64_t address) {
  ENTER();
  return is_ours(at) ? opened(at, address) : LIBHDF5(id_t64, H5Oopen_by_addr, id_t64, uint64_t)(at, address);
}

/* ---- places of elements ----
 *
 * libhdf5 takes any dataset for one of its native connector, and crashes.
 */
struct chunk_lister { int rank; bool has_title; };

static int list_chunk(const uint64_t *offset, unsigned mask, uint64_t address, uint64_t bytes, void *data) {
  struct chunk_lister *lister = data;
  if (!lister->has_title) {
    printf("           Flags    Bytes     Address          Logical Offset\n");
    printf("        ========== ======== ========== ==============================\n");
    lister->has_title = true;
  }
  printf("        0x%08x %8llu %10llu [", mask, (unsigned long long)bytes, (unsigned long long)address);
  for (int i = 0; i < lister->rank; i++) printf("%s%llu", i ? ", " : "", (unsigned long long)offset[i]);
  puts(", 0]"); /* libhdf5 counts the bytes of an element as a dimension */
  return 0;
}

status H5Ddebug(id_t64 dataset) {
  ENTER();
  if (!is_ours(dataset)) return LIBHDF5(status, H5Ddebug, id_t64)(dataset);
  uint64_t offset = LIBHDF5(uint64_t, H5Dget_offset, id_t64)(dataset);
  if (offset != UINT64_MAX) {
    printf("    %-10s %llu\n", "Address:", (unsigned long long)offset);
    return 0;
  }
  id_t64 space = LIBHDF5(id_t64, H5Dget_space, id_t64)(dataset);
  struct chunk_lister lister = {LIBHDF5(int, H5Sget_simple_extent_ndims, id_t64)(space), false};
  LIBHDF5(status, H5Sclose, id_t64)(space);
  uint64_t count = 0;
  if (LIBHDF5(status, H5Dget_num_chunks, id_t64, id_t64, uint64_t *)(dataset, 0, &count) < 0 || count == 0) return 0;
  return LIBHDF5(status, H5Dchunk_iter, id_t64, id_t64, int (*)(const uint64_t *, unsigned, uint64_t, uint64_t, void *), void *)(
      dataset, 0, list_chunk, &lister);
}

/* ---- references before 1.12 ----
 *
 * An object reference is the address in the object's token. A region reference (hdset_reg_ref_t) is that of its
 * dataset, and the number of an encoded selection that this library keeps; each is kept once. The
 * connector, which stores the selection in the file, exchanges selections with it.
 *
 *   0              8         12
 *   +--------------+---------+
 *   | address      | number  |
 *   +--------------+---------+
 */

struct selection { uint8_t *bytes; size_t length; uint64_t hash; };
static struct selection *selections;
static uint32_t selection_count, selection_room;
static uint32_t *by_hash; /* numbers, 0 for none, at their hash modulo twice the room */
static pthread_mutex_t selecting = PTHREAD_MUTEX_INITIALIZER;

enum { FIRST_ROOM = 64, MOST_SELECTIONS = 1 << 30 };

static uint64_t hash_of(const uint8_t *bytes, size_t length) {
  uint64_t hash = 14695981039346656037u; /* FNV-1a */
  for (size_t i = 0; i < length; i++) hash = (hash ^ bytes[i]) * 1099511628211u;
  return hash;
}

/* Returns where the number of a selection is, or would be. */
static uint32_t *place_of(const uint8_t *bytes, size_t length, uint64_t hash) {
  uint64_t at = hash % (2u * (uint64_t)selection_room);
  for (; by_hash[at] != 0; at = (at + 1) % (2u * (uint64_t)selection_room)) {
    const struct selection *known = &selections[by_hash[at] - 1];
    if (known->hash == hash && known->length == length && memcmp(known->bytes, bytes, length) == 0) break;
  }
  return &by_hash[at];
}

static bool grow(void) {
  uint32_t room = selection_room == 0 ? FIRST_ROOM : 2 * selection_room;
  struct selection *larger = room > MOST_SELECTIONS ? NULL : realloc(selections, room * sizeof *selections);
  if (larger == NULL) return false;
  selections = larger;
  uint32_t *places = calloc(2 * (size_t)room, sizeof *places);
  if (places == NULL) return false;
  free(by_hash);
  by_hash = places, selection_room = room;
  for (uint32_t i = 0; i < selection_count; i++)
    *place_of(selections[i].bytes, selections[i].length, selections[i].hash) = i + 1;
  return true;
}

/* Keeps an encoded selection and returns its number; 0 if there is no memory. */
uint32_t hyperslab_keep_selection(const uint8_t *bytes, size_t length) {
  uint32_t number = 0;
  pthread_mutex_lock(&selecting);
  if (selection_count < selection_room || grow()) {
    uint64_t hash = hash_of(bytes, length);
    uint32_t *place = place_of(bytes, length, hash);
    if (*place == 0) {
      uint8_t *copy = malloc(length + 1);
      if (copy != NULL) {
        memcpy(copy, bytes, length);
        selections[selection_count++] = (struct selection){copy, length, hash};
        *place = selection_count;
      }
    }
    number = *place;
  }
  pthread_mutex_unlock(&selecting);
  return number;
}

/* Returns an encoded selection, which stays, and stores its length; NULL if there is none of the number. */
const uint8_t *hyperslab_kept_selection(uint32_t number, size_t *length) {
  const uint8_t *found = NULL;
  pthread_mutex_lock(&selecting);
  if (number > 0 && number <= selection_count)
    found = selections[number - 1].bytes, *length = selections[number - 1].length;
  pthread_mutex_unlock(&selecting);
  return found;
}

/* Encodes a dataspace as H5Sencode does; the caller frees it. Stores its length, and where its selection begins. */
static uint8_t *encoded(id_t64 space, size_t *length, size_t *selection) {
  status (*encode)(id_t64, void *, size_t *, id_t64) = LIBHDF5(status, H5Sencode2, id_t64, void *, size_t *, id_t64);
  uint32_t extent;
  *length = 0;
  uint8_t *bytes = encode(space, NULL, length, DEFAULT) < 0 ? NULL : malloc(*length);
  if (bytes == NULL) return NULL;
  if (encode(space, bytes, length, DEFAULT) < 0 || *length < ENCODED_HEAD) return free(bytes), NULL;
  memcpy(&extent, bytes + ENCODED_HEAD - sizeof extent, sizeof extent); /* little-endian, as is what JVMs run on here */
  *selection = ENCODED_HEAD + (size_t)extent;
  return *selection <= *length ? bytes : (free(bytes), NULL);
}

/* Returns a dataspace with the extent of another and an encoded selection. */
static id_t64 selected(id_t64 of, const uint8_t *selection, size_t bytes) {
  id_t64 all = LIBHDF5(id_t64, H5Scopy, id_t64)(of), made = FAILED;
  size_t length, begin;
  if (all < 0) return FAILED;
  LIBHDF5(status, H5Sselect_none, id_t64)(all);
  uint8_t *head = encoded(all, &length, &begin);
  uint8_t *whole = head == NULL ? NULL : malloc(begin + bytes);
  if (whole != NULL) {
    memcpy(whole, head, begin);
    memcpy(whole + begin, selection, bytes);
    made = LIBHDF5(id_t64, H5Sdecode, const void *)(whole);
  }
  free(whole), free(head);
  LIBHDF5(status, H5Sclose, id_t64)(all);
  return made;
}

/* Opens what a reference refers to. */
static id_t64 referred(id_t64 at, int kind, const void *reference, const char *function_name) {
  uint64_t address = 0;
  if (reference == NULL) return failure(function_name, "no reference given");
  if (kind != OBJECT && kind != REGION) return failure(function_name, "unknown kind of reference");
  memcpy(&address, reference, ADDRESS_BYTES);
  if (address == 0) return failure(function_name, "the reference refers to no object");
  return opened(at, address);
}

status H5Rcreate(void *reference, id_t64 at, const char *name, int kind, id_t64 space) {
  ENTER();
  if (!is_ours(at))
    return LIBHDF5(status, H5Rcreate, void *, id_t64, const char *, int, id_t64)(reference, at, name, kind, space);
  if (reference == NULL) return failure("H5Rcreate", "no room for the reference");
  if (name == NULL || *name == 0) return failure("H5Rcreate", "no name given");
  if (kind != OBJECT && kind != REGION) return failure("H5Rcreate", "unknown kind of reference");
  uint32_t number = 0;
  if (kind == REGION) {
    size_t length, begin;
    uint8_t *bytes = encoded(space, &length, &begin);
    if (bytes != NULL) number = hyperslab_keep_selection(bytes + begin, length - begin);
    free(bytes);
    if (number == 0) return failure("H5Rcreate", "the selection cannot be encoded");
  }
  object2 info;
  memset(&info, 0, sizeof info);
  status result = LIBHDF5(status, H5Oget_info_by_name3, id_t64, const char *, object2 *, unsigned, id_t64)(
      at, name, &info, BASIC, DEFAULT);
  if (result >= 0) memcpy(reference, info.token.bytes, ADDRESS_BYTES);
  if (result >= 0 && kind == REGION) memcpy((uint8_t *)reference + ADDRESS_BYTES, &number, sizeof number);
  return result < 0 ? result : 0;
}

id_t64 H5Rdereference1(id_t64 at, int kind, const void *reference) {
  ENTER();
  if (!is_ours(at)) return LIBHDF5(id_t64, H5Rdereference1, id_t64, int, const void *)(at, kind, reference);
  return referred(at, kind, reference, "H5Rdereference1");
}

id_t64 H5Rdereference2(id_t64 at, id_t64 access, int kind, const void *reference) {
  ENTER();
  if (!is_ours(at)) return LIBHDF5(id_t64, H5Rdereference2, id_t64, id_t64, int, const void *)(at, access, kind, reference);
  return referred(at, kind, reference, "H5Rdereference2");
}

/* The type of the object that a reference refers to: H5O_type_t. */
static status type_of_referred(id_t64 at, int kind, const void *reference, int *type, const char *function_name) {
  id_t64 object = referred(at, kind, reference, function_name);
  if (object < 0) return FAILED;
  object2 info;
  memset(&info, 0, sizeof info);
  status result = LIBHDF5(status, H5Oget_info3, id_t64, object2 *, unsigned)(object, &info, BASIC);
  *type = info.type;
  LIBHDF5(status, H5Oclose, id_t64)(object);
  return result < 0 ? result : 0;
}

int H5Rget_obj_type1(id_t64 at, int kind, const void *reference) {
  ENTER();
  if (!is_ours(at)) return LIBHDF5(int, H5Rget_obj_type1, id_t64, int, const void *)(at, kind, reference);
  int type = -1; /* H5G_obj_t has the same numbers; -1 is unknown */
  return type_of_referred(at, kind, reference, &type, "H5Rget_obj_type1") < 0 ? -1 : type;
}

status H5Rget_obj_type2(id_t64 at, int kind, const void *reference, int *type) {
  ENTER();
  if (!is_ours(at)) return LIBHDF5(status, H5Rget_obj_type2, id_t64, int, const void *, int *)(at, kind, reference, type);
  int found = -1;
  status result = type_of_referred(at, kind, reference, &found, "H5Rget_obj_type2");
  if (result >= 0 && type != NULL) *type = found;
  return result;
}

ssize_t H5Rget_name(id_t64 at, int kind, const void *reference, char *name, size_t size) {
  ENTER();
  if (!is_ours(at))
    return LIBHDF5(ssize_t, H5Rget_name, id_t64, int, const void *, char *, size_t)(at, kind, reference, name, size);
  id_t64 object = referred(at, kind, reference, "H5Rget_name");
  if (object < 0) return FAILED;
  ssize_t length = LIBHDF5(ssize_t, H5Iget_name, id_t64, char *, size_t)(object, name, size);
  LIBHDF5(status, H5Oclose, id_t64)(object);
  return length;
}

id_t64 H5Rget_region(id_t64 at, int kind, const void *reference) {
  ENTER();
  if (!is_ours(at)) return LIBHDF5(id_t64, H5Rget_region, id_t64, int, const void *)(at, kind, reference);
  if (kind != REGION) return failure("H5Rget_region", "not a reference to a region");
  id_t64 dataset = referred(at, kind, reference, "H5Rget_region");
  if (dataset < 0) return FAILED;
  uint32_t number;
  size_t length;
  memcpy(&number, (const uint8_t *)reference + ADDRESS_BYTES, sizeof number);
  const uint8_t *selection = hyperslab_kept_selection(number, &length);
  id_t64 space = LIBHDF5(id_t64, H5Dget_space, id_t64)(dataset);
  id_t64 region = selection == NULL ? failure("H5Rget_region", "the reference is not one that this process made or read")
                  : space < 0       ? FAILED
                                    : selected(space, selection, length);
  if (space >= 0) LIBHDF5(status, H5Sclose, id_t64)(space);
  LIBHDF5(status, H5Oclose, id_t64)(dataset);
  return region;
}

/* ---- is an object native? ---- */

/* Who asks whether to use the references of all versions, not whether functions of the native connector work. */
static bool asks_for_references(const void *address) {
  Dl_info where;
  if (dladdr(address, &where) == 0 || where.dli_fname == NULL) return false;
  const char *slash = strrchr(where.dli_fname, '/');
  const char *name = slash == NULL ? where.dli_fname : slash + 1;
  return strstr(name, "hdf5_hl") != NULL || strstr(name, "hdf5_serial_hl") != NULL || strstr(name, "netcdf") != NULL;
}

status H5VLobject_is_native(id_t64 object, bool *is_native) {
  ENTER();
  if (is_native != NULL && asks_for_references(__builtin_return_address(0)) && is_ours(object)) {
    *is_native = true;
    return 0;
  }
  return LIBHDF5(status, H5VLobject_is_native, id_t64, bool *)(object, is_native);
}

/* ---- children of fork ---- */

/* Set by the connector in a child of a process whose JVM had started: the JVM does not survive fork. */
int hyperslab_preload_is_child;

/* Whether a configuration names files on this machine, as libhdf5 itself opens them: its last connector is native. */
static bool is_local(const char *configuration) {
  const char *given = configuration;
  if (given == NULL || given[strspn(given, " ")] == 0) given = getenv("HYPERSLAB_CONNECTOR");
  if (given == NULL || given[strspn(given, " ")] == 0) return true;
  const char *bar = strrchr(given, '|'), *last = bar == NULL ? given : bar + 1;
  last += strspn(last, " ");
  return strncmp(last, "native", 6) == 0 && (last[6] == 0 || last[6] == ' ');
}

/* In a child, a list like the given one by which libhdf5's own connector opens a file; otherwise the list itself. */
static id_t64 list_of_child(id_t64 list) {
  if (!hyperslab_preload_is_child) return list;
  id_t64 (*by_name)(const char *) = LIBHDF5(id_t64, H5VLget_connector_id_by_name, const char *);
  id_t64 *files = variable("H5P_CLS_FILE_ACCESS_ID_g"), connector = -1;
  if (by_name == NULL || files == NULL) return list;
  id_t64 copy = list == DEFAULT ? LIBHDF5(id_t64, H5Pcreate, id_t64)(*files) : LIBHDF5(id_t64, H5Pcopy, id_t64)(list);
  if (copy < 0) return list;
  const char *configuration = NULL;
  LIBHDF5(status, H5Pget_vol_id, id_t64, id_t64 *)(copy, &connector);
  /* In a child, the connector gives its own text instead of a copy. */
  LIBHDF5(status, H5Pget_vol_info, id_t64, const char **)(copy, &configuration);
  id_t64 ours = by_name("hyperslab"), native = by_name("native");
  int differs = 1;
  LIBHDF5(status, H5VLcmp_connector_cls, int *, id_t64, id_t64)(&differs, connector, ours);
  bool moves = differs == 0 && native >= 0 && is_local(configuration);
  if (moves) moves = LIBHDF5(status, H5Pset_vol, id_t64, id_t64, const void *)(copy, native, NULL) >= 0;
  if (moves) return copy;
  LIBHDF5(status, H5Pclose, id_t64)(copy);
  return list;
}

/* Closes a list that was made for a call, and returns what the call returned. */
static id_t64 without_list(id_t64 result, id_t64 used, id_t64 given) {
  if (used != given) LIBHDF5(status, H5Pclose, id_t64)(used);
  return result;
}

id_t64 H5Fopen(const char *name, unsigned flags, id_t64 list) {
  ENTER();
  id_t64 used = list_of_child(list);
  return without_list(LIBHDF5(id_t64, H5Fopen, const char *, unsigned, id_t64)(name, flags, used), used, list);
}

id_t64 H5Fcreate(const char *name, unsigned flags, id_t64 creation, id_t64 list) {
  ENTER();
  id_t64 used = list_of_child(list);
  return without_list(LIBHDF5(id_t64, H5Fcreate, const char *, unsigned, id_t64, id_t64)(name, flags, creation, used),
                      used, list);
}

int H5Fis_accessible(const char *name, id_t64 list) {
  ENTER();
  id_t64 used = list_of_child(list);
  return (int)without_list(LIBHDF5(int, H5Fis_accessible, const char *, id_t64)(name, used), used, list);
}

/* Asked by the connector: programs that need this library are told of it where it is missing. */
int hyperslab_preload_version(void) { return 1; }
