package org.hyperslab.tools.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.ModuleTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Tests that every public type and every public method of one is documented, that the first
 * sentence of a comment is neither a name nor a paragraph, that types are imported, that no file
 * names a machine's path, that pages name types that exist, and that every setting is in its page.
 */
final class DocumentationTest {

  private static final Path ROOT = Path.of(System.getProperty("hyperslab.root")).normalize();

  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|interface|enum|record) ([A-Z]\\w*)");

  private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^```.*?^```");

  private static final Pattern CODE = Pattern.compile("`([^`\\n]+)`");

  /** The name of a type, by its form: two words or more, each with a capital. */
  private static final Pattern NAME =
      Pattern.compile("(?<![\\w.-])[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+\\b");

  /** Names in pages that have this form and belong to other programs and libraries. */
  private static final Set<String> OUTSIDE =
      Set.of(
          "ArchiveRelocationMode",
          "BigDecimal",
          "BigInteger",
          "ByteBuffer",
          "CompileThresholdScaling",
          "CompletableFuture",
          "ExternalLink",
          "FileChannel",
          "FlowControlHandler",
          "FreqInlineSize",
          "HdfFile",
          "HostAndPort",
          "IntBuffer",
          "LambdaForm",
          "ListBucket",
          "LocalDate",
          "LocalDateTime",
          "LocalTime",
          "LogClassLoadingCauseFor",
          "MemorySegment",
          "OffsetDateTime",
          "SeekableByteChannel",
          "ServiceLoader",
          "ServicesResourceTransformer",
          "SizeOnDiskInMemoryPropertyTestCase",
          "SplitDriverTestCase",
          "TestFileObj",
          "TieredStopAtLevel",
          "UseCompactObjectHeaders",
          "VirtualLayout");

  /** A system property, a hint or an environment variable of this project. */
  private static final Pattern SETTING =
      Pattern.compile("\"(hyperslab(?:\\.[a-zA-Z]+)+|hyperslab_[a-z_]+|HYPERSLAB_[A-Z_]+)\"");

  /** Settings that only this project's own programs make, and strings of the same form. */
  private static final Set<String> INTERNAL =
      Set.of(
          "hyperslab.bridge.cache",
          "hyperslab.bridge.package",
          "hyperslab.home",
          "hyperslab.machine.file",
          "hyperslab.mpi.largeCount",
          "hyperslab_keep_selection",
          "hyperslab_kept_selection",
          "hyperslab_stage_",
          "hyperslab_stage_client_");

  private static final Pattern MACHINE_PATH = Pattern.compile("/(work|home)/");

  @Test
  void publicTypesAndMethodsAreDocumented() throws IOException {
    List<String> bare = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      Iterable<? extends JavaFileObject> sources = files.getJavaFileObjectsFromPaths(mainSources());
      JavacTask task = (JavacTask) compiler.getTask(null, files, d -> {}, List.of(), null, sources);
      DocTrees docs = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        new BareFinder(docs, bare).scan(unit, null);
      }
    }
    assertThat(bare).as("public types and methods without a documentation comment").isEmpty();
  }

  @Test
  void firstSentencesAreSentences() throws IOException {
    List<String> odd = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      Iterable<? extends JavaFileObject> sources = files.getJavaFileObjectsFromPaths(mainSources());
      JavacTask task = (JavacTask) compiler.getTask(null, files, d -> {}, List.of(), null, sources);
      DocTrees docs = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        new FirstSentences(docs, odd).scan(unit, null);
      }
    }
    assertThat(odd)
        .as(
            "first sentences of public and protected members that are not of %d to %d words",
            FirstSentences.FEWEST_WORDS, FirstSentences.MOST_WORDS)
        .isEmpty();
  }

  @Test
  void typesAreImported() throws IOException {
    List<String> qualified = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      Iterable<? extends JavaFileObject> sources = files.getJavaFileObjectsFromPaths(mainSources());
      JavacTask task = (JavacTask) compiler.getTask(null, files, d -> {}, List.of(), null, sources);
      for (CompilationUnitTree unit : task.parse()) {
        new QualifiedNames(qualified).scan(unit, null);
      }
    }
    assertThat(qualified)
        .as("qualified names of types; only those of which two share a simple name need be")
        .containsExactlyInAnyOrder(
            "BaselineAlgorithm.java: java.util.Random",
            "FileSystemTraits.java: java.nio.file.FileStore",
            "FileSystemTraits.java: org.hyperslab.format.store.FileStore",
            "HyperslabSource.java: scala.collection.immutable.Map",
            "JhdfFilters.java: io.jhdf.filter.Filter");
  }

  @Test
  void sourcesNameNoPathOfAMachine() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : mainSources()) {
      String text = Files.readString(source);
      if (MACHINE_PATH.matcher(text).find()) {
        found.add(ROOT.relativize(source).toString());
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  void pagesNameTypesThatExist() throws IOException {
    Set<String> known = new HashSet<>(OUTSIDE);
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> all = Files.walk(ROOT)) {
      for (Path file : all.filter(file -> !file.toString().contains("/target/")).toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".java")) {
          TYPE.matcher(Files.readString(file)).results().forEach(type -> known.add(type.group(1)));
        } else if (name.endsWith(".md") && !name.equals("CHANGELOG.md")) {
          pages.add(file);
        }
      }
    }
    List<String> stale = new ArrayList<>();
    for (Path page : pages) {
      String text = CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
      for (MatchResult span : CODE.matcher(text).results().toList()) {
        NAME.matcher(span.group(1))
            .results()
            .map(MatchResult::group)
            .filter(name -> !known.contains(name))
            .forEach(name -> stale.add(ROOT.relativize(page) + ": " + name));
      }
    }
    assertThat(stale).as("names of types in pages that no source declares").isEmpty();
  }

  @Test
  void settingsAreInTheirPage() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/properties.md"));
    Set<String> missing = new TreeSet<>();
    for (Path source : mainSources()) {
      if (!source.toString().matches(".*/(testkit|benchmarks)/.*")) {
        SETTING
            .matcher(Files.readString(source))
            .results()
            .map(setting -> setting.group(1))
            .filter(setting -> !page.contains("`" + setting + "`") && !INTERNAL.contains(setting))
            .forEach(missing::add);
      }
    }
    assertThat(missing)
        .as("properties, hints and variables that docs/properties.md does not list")
        .isEmpty();
  }

  private static List<Path> mainSources() throws IOException {
    try (Stream<Path> all = Files.walk(ROOT)) {
      return all.filter(p -> p.toString().endsWith(".java"))
          .filter(p -> p.toString().contains("/src/main/java/"))
          .filter(p -> !p.toString().contains("/target/"))
          .toList();
    }
  }

  /** Collects the types that are named with their packages in code, once for each file. */
  private static final class QualifiedNames extends TreePathScanner<Void, Void> {
    private static final Pattern QUALIFIED =
        Pattern.compile("[a-z]\\w*(\\.[a-z]\\w*)+\\.[A-Z]\\w*");
    private final List<String> found;

    QualifiedNames(List<String> found) {
      this.found = found;
    }

    @Override
    public Void visitModule(ModuleTree module, Void unused) {
      return null;
    }

    @Override
    public Void visitImport(ImportTree imported, Void unused) {
      return null;
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree select, Void unused) {
      String file =
          Path.of(getCurrentPath().getCompilationUnit().getSourceFile().getName()).getFileName()
              + ": "
              + select;
      if (QUALIFIED.matcher(select.toString()).matches() && !found.contains(file)) {
        found.add(file);
      }
      return super.visitMemberSelect(select, unused);
    }
  }

  /** Collects public and protected members whose comment begins with too few or too many words. */
  private static final class FirstSentences extends TreePathScanner<Void, Void> {
    static final int FEWEST_WORDS = 3;
    static final int MOST_WORDS = 35;
    private static final Pattern INHERITED = Pattern.compile("\\{@inheritDoc\\s*}");
    private static final Pattern INLINE_TAG = Pattern.compile("\\{@(\\w+)\\s+([^{}]*)}");
    private static final Pattern HTML = Pattern.compile("<[^>]*>");
    private final DocTrees docs;
    private final List<String> odd;

    FirstSentences(DocTrees docs, List<String> odd) {
      this.docs = docs;
      this.odd = odd;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      check(type.getModifiers(), type.getSimpleName().toString());
      return super.visitClass(type, unused);
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      check(method.getModifiers(), method.getName() + "()");
      return super.visitMethod(method, unused);
    }

    @Override
    public Void visitVariable(VariableTree variable, Void unused) {
      check(variable.getModifiers(), variable.getName().toString());
      return super.visitVariable(variable, unused);
    }

    private void check(ModifiersTree modifiers, String what) {
      DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
      if (comment == null || !isVisible(modifiers.getFlags())) {
        return;
      }
      String sentence =
          comment.getFirstSentence().stream().map(Object::toString).collect(Collectors.joining());
      int words = words(sentence);
      if (!INHERITED.matcher(sentence).find() && (words < FEWEST_WORDS || words > MOST_WORDS)) {
        String file = getCurrentPath().getCompilationUnit().getSourceFile().getName();
        odd.add(ROOT.relativize(Path.of(file)) + ": " + what + ": " + sentence);
      }
    }

    private boolean isVisible(Set<Modifier> flags) {
      boolean inInterface =
          getCurrentPath().getParentPath().getLeaf() instanceof ClassTree outer
              && outer.getKind() == Tree.Kind.INTERFACE;
      return flags.contains(Modifier.PUBLIC)
          || flags.contains(Modifier.PROTECTED)
          || (inInterface && !flags.contains(Modifier.PRIVATE));
    }

    /** Counts words as a reader sees them: without tags, with "Returns" for {@code @return}. */
    private static int words(String sentence) {
      String text = sentence;
      String tagged;
      do {
        tagged = text;
        text =
            INLINE_TAG
                .matcher(tagged)
                .replaceAll(tag ->
                    Matcher.quoteReplacement(
                        (tag.group(1).equals("return") ? "Returns " : "") + tag.group(2)));
      } while (!text.equals(tagged));
      String plain = HTML.matcher(text).replaceAll("").strip();
      return plain.isEmpty() ? 0 : plain.split("\\s+").length;
    }
  }

  /** Collects public types and public methods of public types that have no comment. */
  private static final class BareFinder extends TreePathScanner<Void, Void> {
    private final DocTrees docs;
    private final List<String> bare;

    BareFinder(DocTrees docs, List<String> bare) {
      this.docs = docs;
      this.bare = bare;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      if (!isPublic(getCurrentPath())) {
        return null;
      }
      report(type.getSimpleName().toString());
      return super.visitClass(type, unused);
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      boolean overrides =
          method.getModifiers().getAnnotations().stream()
              .anyMatch(a -> a.getAnnotationType().toString().equals("Override"));
      boolean constructor = method.getReturnType() == null;
      if (isPublic(getCurrentPath()) && !overrides && !constructor) {
        report(method.getName() + "()");
      }
      return null;
    }

    private void report(String what) {
      DocCommentTree comment = docs.getDocCommentTree(getCurrentPath());
      if (comment == null) {
        String file = getCurrentPath().getCompilationUnit().getSourceFile().getName();
        bare.add(ROOT.relativize(Path.of(file)) + ": " + what);
      }
    }

    private static boolean isPublic(TreePath path) {
      Tree leaf = path.getLeaf();
      Tree parent = path.getParentPath().getLeaf();
      Set<Modifier> flags =
          leaf instanceof ClassTree type
              ? type.getModifiers().getFlags()
              : ((MethodTree) leaf).getModifiers().getFlags();
      boolean inInterface =
          parent instanceof ClassTree outer && outer.getKind() == Tree.Kind.INTERFACE;
      return flags.contains(Modifier.PUBLIC) || (inInterface && !flags.contains(Modifier.PRIVATE));
    }
  }
}
