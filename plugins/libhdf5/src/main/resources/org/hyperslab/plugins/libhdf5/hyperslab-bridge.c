/*
 * The plugin that libhdf5 loads: makes a JVM, once, and asks it for the functions of the connector.
 * All else is Java (module org.hyperslab.plugins.libhdf5).
 *
 * The file hyperslab-bridge.conf beside the library names libjvm.so, the class path and an AOT cache; paths
 * that are not absolute are relative to the library's folder, so that all may be moved together. Without
 * that JVM, one is looked for. The environment variable HYPERSLAB_JAVA_OPTS adds options of the JVM, which
 * outrank those given here; they are separated by spaces.
 *
 * Nothing of HDF5 is needed to build it: the two functions that the library looks for are declared
 * here as H5PLextern.h has them (an enum is an int).
 */
#define _GNU_SOURCE
#include "hyperslab-bridge-config.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <jni.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLUGIN_IS_VOL_CONNECTOR 1 /* H5PL_TYPE_VOL */
#define MOST_OPTIONS 64
#define IS_ACCESSIBLE 2 /* H5VL_FILE_IS_ACCESSIBLE */

/* The most dimensions of a dataspace. */
#define WORDS 32

/* The most pointers of H5VL_class_t. */
#define POINTERS 80

#define PACKAGE "org/hyperslab/plugins/libhdf5/"

typedef jint (*create_vm)(JavaVM **, void **, void *);
typedef jint (*created_vms)(JavaVM **, jsize, jsize *);

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

/* An address in the libhdf5 that loaded the plugin. */
static void *inside_libhdf5;

/* What the callbacks of the class call: methods of an object of Java. */
static JavaVM *machine;
static jobject dispatch;
static jmethodID few_words, many_words, visit_method, flush_method;
static pthread_key_t attached;

int H5PLget_plugin_type(void) { return PLUGIN_IS_VOL_CONNECTOR; }

/* A JVM does not survive fork: a child may go on, but not through this connector. What it still
 * calls, such as libhdf5's own end, does not reach Java: files are the parent's to write. */
static volatile int is_child;

/* A variable of the library to preload, which has libhdf5 itself open the files of a child. */
static int *told_of_child;

static void in_child(void) {
  is_child = 1;
  if (told_of_child != NULL) *told_of_child = 1;
}

static const void *refused(void) {
  static int told;
  if (!told) fprintf(stderr, "hyperslab: a process that forked after the connector was loaded cannot use it\n");
  told = 1;
  return NULL;
}

/* The callbacks of the class are functions of this file, one for each pointer, that call Java.
 * Arguments that a callback does not have are passed on as they come. The lower bits of a trait are
 * what a child answers, and what is returned if Java cannot be called. */
enum trait { NO_CALLBACK, FAILS_WITH_NULL, FAILS_WITH_MINUS_ONE, SUCCEEDS, MANY_PARAMETERS, TRANSFERS = 8 };

typedef int64_t word;
typedef word (*callback)(word, word, word, word, word, word, word, word, word, word);

static const char traits[POINTERS] = HYPERSLAB_TRAITS;

static int trait(int slot) { return traits[slot]; }

/* H5VL_class_t. libhdf5 assumes that a connector without information has no configuration either. */
static struct {
  unsigned version;
  int value;
  const char *name;
  unsigned own_version;
  uint64_t capabilities;
  callback pointers[POINTERS];
} our_class = {HYPERSLAB_CLASS_VERSION, HYPERSLAB_CONNECTOR_VALUE, "hyperslab", 1, HYPERSLAB_CAPABILITIES, {0}};

static word failure(int slot) { return trait(slot) % MANY_PARAMETERS == FAILS_WITH_NULL ? 0 : -1; }

static word answer_of_child(int slot, word first) {
  if (slot == HYPERSLAB_INFO_COPY) return first; /* nothing is freed in a child */
  if (trait(slot) % MANY_PARAMETERS == SUCCEEDS) return 0;
  refused();
  return failure(slot);
}

/* Detaches a thread of the program as it ends. */
static void detach(void *ignored) {
  (void)ignored;
  (*machine)->DetachCurrentThread(machine);
}

/* The JVM's environment of this thread, which is attached if it is new to the JVM. */
static JNIEnv *environment(void) {
  JNIEnv *env = NULL;
  if (machine == NULL || (*machine)->GetEnv(machine, (void **)&env, JNI_VERSION_21) == JNI_OK) return env;
  if ((*machine)->AttachCurrentThreadAsDaemon(machine, (void **)&env, NULL) != JNI_OK) {
    fprintf(stderr, "hyperslab: the JVM of this process takes no thread\n");
    return NULL;
  }
  pthread_setspecific(attached, env);
  return env;
}

/* Methods catch what is thrown; that leaves a failure of the JVM itself. */
static int threw(JNIEnv *env) {
  if (!(*env)->ExceptionCheck(env)) return 0;
  (*env)->ExceptionDescribe(env);
  (*env)->ExceptionClear(env);
  return 1;
}

/* Whether one of the callers is a function of libhdf5. */
static int is_within(const char *function) {
  void *frames[64];
  Dl_info where;
  int count = backtrace(frames, 64);
  for (int i = 0; i < count; i++)
    if (dladdr(frames[i], &where) != 0 && where.dli_sname != NULL && strcmp(where.dli_sname, function) == 0) return 1;
  return 0;
}

static int start(void);

/* H5VL_file_specific_args_t, for whether a file is accessible. */
struct accessible { int operation; int padding; const char *name; int64_t list; char *answer; };

/* What is answered without Java, before it has started: a libhdf5 that fails to open a file asks every connector
 * that it finds, though the program has chosen none of them; then this one has no files. Returns 1 if
 * Java has to answer. */
static int is_for_java(int slot, word args) {
  if (slot == HYPERSLAB_INITIALIZE || slot == HYPERSLAB_TERMINATE) return 0;
  struct accessible *asked = (struct accessible *)(intptr_t)args;
  if (slot != HYPERSLAB_FILE_SPECIFIC || asked->operation != IS_ACCESSIBLE) return 1;
  if (!is_within("H5Fopen") && !is_within("H5Fopen_async")) return 1;
  *asked->answer = 0;
  return 0;
}

/* Calls Java, which is started if need be. */
static word to_java(int slot, word a, word b, word c, word d, word e, word f, word g, word h, word i, word j) {
  if (dispatch == NULL && !is_for_java(slot, b)) return 0;
  JNIEnv *env = dispatch == NULL && start() != 0 ? NULL : environment();
  if (env == NULL) return failure(slot);
  if (trait(slot) & TRANSFERS && a == 1) { /* one dataset: the entries of its arrays instead of these */
    b = *(word *)(intptr_t)b, c = *(word *)(intptr_t)c, d = *(word *)(intptr_t)d;
    e = *(word *)(intptr_t)e, g = *(word *)(intptr_t)g;
  }
  word result = trait(slot) & MANY_PARAMETERS
      ? (*env)->CallLongMethod(env, dispatch, many_words, (jint)slot, (jlong)a, (jlong)b, (jlong)c, (jlong)d,
                               (jlong)e, (jlong)f, (jlong)g, (jlong)h, (jlong)i, (jlong)j)
      : (*env)->CallLongMethod(env, dispatch, few_words, (jint)slot, (jlong)a, (jlong)b, (jlong)c, (jlong)d,
                               (jlong)e, (jlong)f);
  return threw(env) ? failure(slot) : result;
}

static void at_end(void) {
  JNIEnv *env = dispatch == NULL || is_child ? NULL : environment();
  if (env == NULL) return;
  (*env)->CallVoidMethod(env, dispatch, flush_method);
  threw(env);
}

/* What H5Iiterate calls with each identifier. */
static int visit(int64_t id, void *ignored) {
  (void)ignored;
  JNIEnv *env = environment();
  if (env == NULL) return -1;
  (*env)->CallVoidMethod(env, dispatch, visit_method, (jlong)id);
  return threw(env) ? -1 : 0;
}

#define ONE(n)                                                                                   \
  static word through_##n(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j) { \
    return is_child ? answer_of_child(n, a) : to_java(n, a, b, c, d, e, f, g, h, i, j);              \
  }
#define TEN(n) ONE(n##0) ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define NAMES(n)                                                                                 \
  through_##n##0, through_##n##1, through_##n##2, through_##n##3, through_##n##4, through_##n##5, \
      through_##n##6, through_##n##7, through_##n##8, through_##n##9
ONE(0) ONE(1) ONE(2) ONE(3) ONE(4) ONE(5) ONE(6) ONE(7) ONE(8) ONE(9)
TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7)
static const callback through[POINTERS] = {NAMES(), NAMES(1), NAMES(2), NAMES(3), NAMES(4), NAMES(5), NAMES(6), NAMES(7)};

static void fill_class(void) {
  for (int i = 0; i < POINTERS; i++)
    if (trait(i) != NO_CALLBACK) our_class.pointers[i] = through[i];
  our_class.pointers[HYPERSLAB_INFO_SIZE] = (callback)1;
}

/* CFunction.call: a C function of at most eight words. */
static jlong JNICALL call_function(JNIEnv *env, jclass ignored, jlong function, jlong a, jlong b, jlong c, jlong d,
                                   jlong e, jlong f, jlong g, jlong h) {
  (void)env, (void)ignored;
  return ((word(*)(word, word, word, word, word, word, word, word))(intptr_t)function)(a, b, c, d, e, f, g, h);
}

/* CFunction.errnoCall: a function of the C library that returns an int, variadic from the third parameter on. */
static jint JNICALL call_with_errno(JNIEnv *env, jclass ignored, jlong function, jlong first, jlong second) {
  (void)env, (void)ignored;
  int result = ((int (*)(word, word, ...))(intptr_t)function)(first, second);
  return result == -1 ? -errno : result;
}

/* CFunction.fill: a function that stores up to WORDS words at each of two addresses. */
static jint JNICALL call_to_fill(JNIEnv *env, jclass ignored, jlong function, jlong id, jlongArray words) {
  (void)ignored;
  jlong room[2 * WORDS] = {0};
  int result = ((int (*)(word, jlong *, jlong *))(intptr_t)function)(id, room, room + WORDS);
  (*env)->SetLongArrayRegion(env, words, 0, 2 * WORDS, room);
  return result;
}

/* CFunction.text: the number of bytes before the terminator, as many of which as there is room for are copied. */
static jint JNICALL copy_text(JNIEnv *env, jclass ignored, jlong address, jint most, jbyteArray room) {
  (void)ignored;
  const char *text = (const char *)(intptr_t)address;
  jsize length = (jsize)strnlen(text, (size_t)most), size = (*env)->GetArrayLength(env, room);
  (*env)->SetByteArrayRegion(env, room, 0, length < size ? length : size, (const jbyte *)text);
  return length;
}

/* CFunction.symbol */
static jlong JNICALL find_symbol(JNIEnv *env, jclass ignored, jlong library, jbyteArray name) {
  (void)ignored;
  jbyte *text = (*env)->GetByteArrayElements(env, name, NULL);
  if (text == NULL) return 0;
  void *found = dlsym((void *)(intptr_t)library, (const char *)text);
  (*env)->ReleaseByteArrayElements(env, name, text, JNI_ABORT);
  return (jlong)(intptr_t)found;
}

/* Gives Java the functions of this file. */
static int bind_functions(JNIEnv *env) {
  static const JNINativeMethod functions[] = {
      {"call", "(JJJJJJJJJ)J", (void *)call_function},
      {"errnoCall", "(JJJ)I", (void *)call_with_errno},
      {"fill", "(JJ[J)I", (void *)call_to_fill},
      {"text", "(JI[B)I", (void *)copy_text},
      {"symbol", "(J[B)J", (void *)find_symbol},
  };
  jclass calls = (*env)->FindClass(env, PACKAGE "call/CFunction");
  return calls != NULL && (*env)->RegisterNatives(env, calls, functions, 5) == JNI_OK ? 0 : -1;
}

/* Called where Java loads this library, to rehearse what a program does without one. */
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *ignored) {
  (void)ignored;
  JNIEnv *env = NULL;
  if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_21) != JNI_OK || bind_functions(env) != 0) return JNI_ERR;
  return JNI_VERSION_21;
}

/* Binds Java and this file to each other. */
static int bind_java(JNIEnv *env) {
  jclass called = bind_functions(env) != 0 ? NULL : (*env)->FindClass(env, PACKAGE "Dispatch");
  if (called == NULL) return -1;
  few_words = (*env)->GetMethodID(env, called, "few", "(IJJJJJJ)J");
  if (few_words != NULL) many_words = (*env)->GetMethodID(env, called, "many", "(IJJJJJJJJJJ)J");
  if (many_words != NULL) visit_method = (*env)->GetMethodID(env, called, "visit", "(J)V");
  if (visit_method != NULL) flush_method = (*env)->GetMethodID(env, called, "flush", "()V");
  return flush_method == NULL || pthread_key_create(&attached, detach) != 0 ? -1 : 0;
}

/* What the file beside the library says. */
static struct { char *jvm, *class_path, *cache; } settings;

/* The folder of this library, behind symbolic links. */
static char *own_folder(void) {
  Dl_info where;
  char *path = dladdr((void *)own_folder, &where) == 0 ? NULL : realpath(where.dli_fname, NULL);
  char *slash = path == NULL ? NULL : strrchr(path, '/');
  if (slash != NULL) *slash = 0;
  return path;
}

/* Joins names into new memory; NULL if there is none. */
static char *joined(const char *first, const char *second, const char *third) {
  char *text = malloc(strlen(first) + strlen(second) + strlen(third) + 1);
  if (text != NULL) strcat(strcat(strcpy(text, first), second), third);
  return text;
}

/* Puts the folder before each path of a list that is not absolute. */
static char *resolved(const char *folder, char *list) {
  char *rest = NULL, *result = joined("", "", "");
  for (char *each = strtok_r(list, ":", &rest); each != NULL && result != NULL; each = strtok_r(NULL, ":", &rest)) {
    char *path = *each == '/' ? strdup(each) : joined(folder, "/", each);
    char *longer = path == NULL ? NULL : joined(result, *result == 0 ? "" : ":", path);
    free(path);
    free(result);
    result = longer;
  }
  return result;
}

static void read_settings(void) {
  char *folder = own_folder(), *path = folder == NULL ? NULL : joined(folder, "/", "hyperslab-bridge.conf");
  FILE *file = path == NULL ? NULL : fopen(path, "re");
  char *line = NULL;
  size_t room = 0;
  while (file != NULL && getline(&line, &room, file) >= 0) {
    char *value = strchr(line, '=');
    if (value == NULL) continue;
    *value++ = 0;
    value[strcspn(value, "\n")] = 0;
    char **setting = strcmp(line, "jvm") == 0 ? &settings.jvm
        : strcmp(line, "classpath") == 0      ? &settings.class_path
        : strcmp(line, "cache") == 0          ? &settings.cache
                                              : NULL;
    if (setting != NULL && *setting == NULL) *setting = resolved(folder, value);
  }
  if (file != NULL) fclose(file);
  free(line);
  free(path);
  free(folder);
}

/* libjvm.so of a JDK that is new enough; NULL if it is none. */
static char *jvm_of(const char *home) {
  char *path = joined(home, "/release", ""), line[256];
  FILE *file = path == NULL ? NULL : fopen(path, "re");
  int version = 0;
  while (file != NULL && version == 0 && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "JAVA_VERSION=\"%d", &version) != 1) version = 0;
  if (file != NULL) fclose(file);
  free(path);
  if (version < HYPERSLAB_JAVA_VERSION) return NULL;
  path = joined(home, "/lib/server/libjvm.so", "");
  if (path != NULL && access(path, R_OK) == 0) return path;
  free(path);
  return NULL;
}

/* The JVM of the program java on the PATH. */
static char *jvm_on_path(void) {
  char *list = getenv("PATH") == NULL ? NULL : strdup(getenv("PATH")), *rest = NULL, *found = NULL;
  for (char *each = list == NULL ? NULL : strtok_r(list, ":", &rest); each != NULL && found == NULL;
       each = strtok_r(NULL, ":", &rest)) {
    char *path = joined(each, "/java", ""), *real = path == NULL ? NULL : realpath(path, NULL);
    char *end = real == NULL ? NULL : strstr(real, "/bin/java");
    if (end != NULL) {
      *end = 0;
      found = jvm_of(real);
    }
    free(real);
    free(path);
  }
  free(list);
  return found;
}

static char *jvm_in(const char *folder) {
  DIR *names = opendir(folder);
  char *found = NULL;
  for (struct dirent *each; names != NULL && found == NULL && (each = readdir(names)) != NULL;) {
    char *home = each->d_name[0] == '.' ? NULL : joined(folder, "/", each->d_name);
    if (home != NULL) found = jvm_of(home);
    free(home);
  }
  if (names != NULL) closedir(names);
  return found;
}

/* The JVM that the user names, else the one for which the plugin was built, else one that is found. */
static char *find_jvm(void) {
  const char *named = getenv("HYPERSLAB_JAVA_HOME"), *home = getenv("JAVA_HOME");
  if (named != NULL && *named != 0) return joined(named, "/lib/server/libjvm.so", "");
  if (settings.jvm != NULL && access(settings.jvm, R_OK) == 0) return settings.jvm;
  char *found = home == NULL ? NULL : jvm_of(home);
  if (found == NULL) found = jvm_on_path();
  if (found == NULL) found = jvm_in("/usr/lib/jvm");
  return found != NULL ? found : settings.jvm;
}

/* Splits the environment's options at spaces; the strings are kept. */
static int add_options(JavaVMOption *options, int count) {
  const char *given = getenv("HYPERSLAB_JAVA_OPTS");
  char *copy = given == NULL ? NULL : strdup(given);
  char *rest = NULL;
  if (copy == NULL) return count;
  for (char *each = strtok_r(copy, " \t\n", &rest); each != NULL; each = strtok_r(NULL, " \t\n", &rest)) {
    if (count == MOST_OPTIONS) {
      fprintf(stderr, "hyperslab: HYPERSLAB_JAVA_OPTS has too many options; the rest is left out\n");
      break;
    }
    options[count++].optionString = each;
  }
  return count;
}

/* Attaches to the JVM of the process, or makes one. */
static JNIEnv *jvm(void) {
  read_settings();
  char *path = find_jvm();
  void *library = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    fprintf(stderr,
            "hyperslab: no JVM: %s; install a JDK %d or newer and name it in HYPERSLAB_JAVA_HOME, or run"
            " \"hyperslab bridge --path\" again\n",
            path == NULL ? "none is named beside the plugin" : dlerror(), HYPERSLAB_JAVA_VERSION);
    return NULL;
  }
  create_vm create = (create_vm)dlsym(library, "JNI_CreateJavaVM");
  created_vms created = (created_vms)dlsym(library, "JNI_GetCreatedJavaVMs");
  JavaVM *vm = NULL;
  JNIEnv *env = NULL;
  jsize present = 0;
  if (create == NULL || created == NULL) {
    fprintf(stderr, "hyperslab: %s is no JVM\n", path);
    return NULL;
  }
  if (created(&vm, 1, &present) == JNI_OK && present > 0) {
    if ((*vm)->AttachCurrentThread(vm, (void **)&env, NULL) == JNI_OK) return env;
    fprintf(stderr, "hyperslab: the JVM of this process takes no thread\n");
    return NULL;
  }
  /* UCX, below some MPI libraries, would take SIGSEGV, which the JVM needs. */
  setenv("UCX_ERROR_SIGNALS", "", 0);
  /* A guest in somebody's process: a bounded heap, few threads, no signals of the program's taken
   * (-Xrs), no files in /tmp. */
  static JavaVMOption options[MOST_OPTIONS] = {
      {"-Djava.class.path", NULL},
      {"-Xrs", NULL},
      /* What a call allocates is garbage when the next collection comes, if that is not too soon. */
      {"-Xms48m", NULL},
      {"-Xmn24m", NULL},
      {"-Xmx1g", NULL},
      {"-XX:+UseSerialGC", NULL},
      {"-XX:-UsePerfData", NULL},
      /* With -Xrs, a JVM otherwise listens at a socket in /tmp for jcmd, which stays if the program calls exit. */
      {"-XX:+DisableAttachMechanism", NULL},
      {"--enable-native-access=ALL-UNNAMED", NULL},
      /* Nothing on the program's stderr about what libraries in Java use. */
      {"--sun-misc-unsafe-memory-access=allow", NULL},
      /* The symbols of native coders would be bound to a library of the same name in the process. */
      {"-Dhyperslab.filter.native=deflate", NULL},
      /* What runs in a program of libhdf5 is short, and many calls deep: compiled with little
       * inlining, it costs much less processor time and is as fast in the end. */
      {"-XX:MaxInlineLevel=9", NULL},
      {"-XX:FreqInlineSize=60", NULL},
      {"-XX:InlineSmallCode=1000", NULL},
      /* Interpreted for half as long as usual: the AOT cache has the profiles of the methods. */
      {"-XX:Tier0InvokeNotifyFreqLog=6", NULL},
      {"-XX:Tier3InvocationThreshold=100", NULL},
      {"-XX:Tier3MinInvocationThreshold=50", NULL},
      {"-XX:Tier3CompileThreshold=1000", NULL},
      /* A loop over elements that was compiled with such predicates is thrown away twice. */
      {"-XX:-UseProfiledLoopPredicate", NULL},
  };
  int count = 19;
  options[0].optionString =
      joined("-Djava.class.path", "=", settings.class_path == NULL ? "" : settings.class_path);
  if (options[0].optionString == NULL) return NULL;
  if (dlsym(RTLD_DEFAULT, "libdeflate_alloc_compressor") != NULL)
    options[count++].optionString = "-Dhyperslab.filter.native=none";
  if (settings.cache != NULL && *settings.cache != 0 && access(settings.cache, R_OK) == 0) {
    options[count++].optionString = joined("-XX:AOTCache", "=", settings.cache);
    /* Mapped where it was made for: relocating it takes longer than all else of the JVM's start. */
    options[count++].optionString = "-XX:+UnlockDiagnosticVMOptions";
    options[count++].optionString = "-XX:ArchiveRelocationMode=0";
    options[count++].optionString = "-Xlog:aot=off";
    options[count++].optionString = "-Xlog:cds=off";
  }
  JavaVMInitArgs args = {JNI_VERSION_21, add_options(options, count), options, JNI_FALSE};
  jint result = create(&vm, (void **)&env, &args);
  if (result != JNI_OK) {
    fprintf(stderr, "hyperslab: the JVM did not start (code %d); is an option wrong?\n", (int)result);
    return NULL;
  }
  return env;
}

/* Libraries that call functions which libhdf5 keeps for its native connector, by parts of their paths. */
static const char *const callers_of_native[] = {"/h5py/", "libnetcdf.so", "/tables/", "/rhdf5", "/hdf5r/"};

static int tell_of_preload(struct dl_phdr_info *library, size_t size, void *told) {
  (void)size;
  for (size_t i = 0; i < sizeof callers_of_native / sizeof *callers_of_native; i++) {
    if (strstr(library->dlpi_name, callers_of_native[i]) == NULL) continue;
    const char *slash = strrchr(library->dlpi_name, '/');
    fprintf(stderr,
            "hyperslab: %s calls functions that libhdf5 keeps for its own connector, and they will fail; set"
            " LD_PRELOAD to what \"hyperslab bridge --preload\" prints\n",
            slash == NULL ? library->dlpi_name : slash + 1);
    return *(int *)told = 1;
  }
  return 0;
}

static void tell_what_is_missing(void) {
  int told = 0;
  if (dlsym(RTLD_DEFAULT, "hyperslab_preload_version") == NULL) dl_iterate_phdr(tell_of_preload, &told);
}

static void tell_what_calls(const char *name, int is_program) {
  if (is_program)
    fprintf(stderr,
            "hyperslab: %s contains libhdf5 and does not show its functions; link it with the shared library (h5cc "
            "-shlib), or with -rdynamic if libhdf5 is 1.14 or newer\n",
            name);
  else
    fprintf(stderr, "hyperslab: %s has no H5VLwrap_register; HDF5 1.14 or newer is needed\n", name);
}

static int start_once(void) {
  Dl_info where;
  if (dladdr(inside_libhdf5, &where) == 0) {
    fprintf(stderr, "hyperslab: the library that loads this plugin cannot be found\n");
    return -1;
  }
  /* The library by the name that it was loaded with; the program itself if it is linked statically. */
  void *hdf5 = dlopen(where.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  int is_program = hdf5 == NULL;
  if (is_program) hdf5 = dlopen(NULL, RTLD_NOW);
  if (hdf5 == NULL || dlsym(hdf5, "H5VLwrap_register") == NULL) {
    tell_what_calls(where.dli_fname, is_program);
    return -1;
  }
  tell_what_is_missing();
  JNIEnv *env = jvm();
  if (env == NULL) return -1;
  jclass entry = (*env)->FindClass(env, PACKAGE "BridgeEntry");
  jmethodID method =
      entry == NULL ? NULL : (*env)->GetStaticMethodID(env, entry, "start", "(JJJ)L" PACKAGE "Dispatch;");
  if (method == NULL || bind_java(env) != 0) {
    (*env)->ExceptionClear(env);
    fprintf(stderr, "hyperslab: the class path has no bridge: %s; run \"hyperslab bridge --path\" again\n",
            settings.class_path == NULL ? "" : settings.class_path);
    return -1;
  }
  jobject made = (*env)->CallStaticObjectMethod(env, entry, method, (jlong)(intptr_t)hdf5, (jlong)(intptr_t)visit,
                                                (jlong)(intptr_t)&our_class);
  if (threw(env) || made == NULL || (*env)->GetJavaVM(env, &machine) != JNI_OK) return -1;
  dispatch = (*env)->NewGlobalRef(env, made);
  told_of_child = dlsym(RTLD_DEFAULT, "hyperslab_preload_is_child");
  pthread_atfork(NULL, NULL, in_child);
  atexit(at_end);
  return 0;
}

static int start(void) {
  pthread_mutex_lock(&starting);
  int result = dispatch != NULL ? 0 : start_once();
  pthread_mutex_unlock(&starting);
  return result;
}

static int is_chosen(void) {
  const char *connector = getenv("HDF5_VOL_CONNECTOR");
  return connector != NULL && strncmp(connector, our_class.name, strlen(our_class.name)) == 0;
}

/* Fails where Java does not start for a program that has chosen this connector, so that it learns that at once. */
const void *H5PLget_plugin_info(void) {
  if (is_child) return refused();
  inside_libhdf5 = __builtin_return_address(0);
  if (our_class.pointers[HYPERSLAB_INFO_SIZE] == NULL) fill_class();
  return is_chosen() && start() != 0 ? NULL : &our_class;
}
