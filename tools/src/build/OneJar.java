import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Puts the jars of a program together into one, from which it starts faster: the JVM has one jar to
 * check and to search, not fifty, and the ahead-of-time cache takes all classes ({@link
 * NewerClasses}).
 *
 * <p>{@code java OneJar.java OUT JAR...}: lists of services are joined; of several entries with one
 * name the first is taken, as from a class path; of the versions of a class the one for the running
 * JVM. Entries are not compressed. Module descriptors and manifests are left out.
 */
final class OneJar {

  private static final String SERVICES = "META-INF/services/";

  private final ClassFile classes;
  private final Map<String, byte[]> entries = new LinkedHashMap<>();
  private int newer;

  private OneJar(ClassFile classes) {
    this.classes = classes;
  }

  public static void main(String[] arguments) throws IOException {
    Path out = Path.of(arguments[0]);
    URL[] jars = new URL[arguments.length - 1];
    for (int i = 0; i < jars.length; i++) {
      jars[i] = Path.of(arguments[i + 1]).toUri().toURL();
    }
    try (URLClassLoader loader = new URLClassLoader(jars)) {
      OneJar one =
          new OneJar(
              ClassFile.of(
                  ClassFile.StackMapsOption.STACK_MAPS_WHEN_REQUIRED,
                  ClassFile.ClassHierarchyResolverOption.of(
                      ClassHierarchyResolver.ofResourceParsing(loader)
                          .orElse(ClassHierarchyResolver.defaultResolver()))));
      for (int i = 1; i < arguments.length; i++) {
        one.add(Path.of(arguments[i]));
      }
      one.write(out);
      System.out.println(
          out.getFileName()
              + ": "
              + one.newer
              + " classes given a newer version");
    }
  }

  private void add(Path jar) throws IOException {
    try (JarFile from = new JarFile(jar.toFile(), false, ZipFile.OPEN_READ, Runtime.version())) {
      for (JarEntry entry : from.versionedStream().toList()) {
        if (!entry.isDirectory() && !isOfJar(entry.getName())) {
          add(entry.getName(), from.getInputStream(entry).readAllBytes());
        }
      }
    }
  }

  /** Returns whether an entry says something about its jar, which is not true of the new one. */
  private static boolean isOfJar(String name) {
    return name.equals(JarFile.MANIFEST_NAME)
        || name.endsWith("module-info.class")
        || name.startsWith("META-INF/") && name.matches(".*\\.(SF|RSA|DSA|EC|LIST)");
  }

  private void add(String name, byte[] bytes) {
    byte[] known = entries.get(name);
    if (known == null) {
      entries.put(name, name.endsWith(".class") ? converted(bytes) : bytes);
    } else if (name.startsWith(SERVICES)) {
      String both =
          new String(known, StandardCharsets.UTF_8)
              + '\n'
              + new String(bytes, StandardCharsets.UTF_8);
      entries.put(name, both.getBytes(StandardCharsets.UTF_8));
    }
  }

  private byte[] converted(byte[] bytes) {
    ClassModel model = classes.parse(bytes);
    if (NewerClasses.isOld(model)) {
      newer++;
      return NewerClasses.newer(classes, model);
    }
    return bytes;
  }

  private void write(Path out) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    try (OutputStream file = Files.newOutputStream(out);
        JarOutputStream to = new JarOutputStream(file, manifest)) {
      to.setMethod(ZipEntry.STORED);
      for (Map.Entry<String, byte[]> each : entries.entrySet()) {
        CRC32 sum = new CRC32();
        sum.update(each.getValue());
        JarEntry entry = new JarEntry(each.getKey());
        entry.setSize(each.getValue().length);
        entry.setCrc(sum.getValue());
        to.putNextEntry(entry);
        to.write(each.getValue());
        to.closeEntry();
      }
    }
  }
}
