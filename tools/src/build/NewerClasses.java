import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * Converts classes of a jar that are older than Java 6 (picocli's are of Java 5) to the version of
 * Java 8, with the stack maps that it requires. The JVM's ahead-of-time cache accepts no older
 * class, and a class that it does not hold is parsed and verified again at every start.
 *
 * <p>{@code java NewerClasses.java JAR}: rewrites JAR in place, or leaves it if nothing in it is
 * old.
 */
final class NewerClasses {

  /** The first version that the cache takes: JVM specification, table 4.1-A. */
  private static final int JAVA_6 = 50;

  private static final int MAGIC = 0xcafebabe;

  private NewerClasses() {}

  public static void main(String[] arguments) throws IOException {
    Path jar = Path.of(arguments[0]);
    Path newer = jar.resolveSibling(jar.getFileName() + ".newer");
    int changed;
    try (JarFile from = new JarFile(jar.toFile());
        URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        JarOutputStream to = new JarOutputStream(Files.newOutputStream(newer))) {
      changed = copy(from, to, resolving(loader));
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(newer);
      throw e;
    }
    if (changed > 0) {
      Files.move(newer, jar, StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.delete(newer);
    }
    System.out.println(jar.getFileName() + ": " + changed + " classes given a newer version");
  }

  /**
   * Returns a class file parser that resolves classes: stack maps need common superclasses of
   * types.
   */
  private static ClassFile resolving(ClassLoader loader) {
    return ClassFile.of(
        ClassFile.StackMapsOption.STACK_MAPS_WHEN_REQUIRED,
        ClassFile.ClassHierarchyResolverOption.of(
            ClassHierarchyResolver.ofResourceParsing(loader)
                .orElse(ClassHierarchyResolver.defaultResolver())));
  }

  private static int copy(JarFile from, JarOutputStream to, ClassFile classes) throws IOException {
    int changed = 0;
    for (Enumeration<JarEntry> entries = from.entries(); entries.hasMoreElements(); ) {
      JarEntry entry = entries.nextElement();
      byte[] bytes = from.getInputStream(entry).readAllBytes();
      if (entry.getName().endsWith(".class") && version(bytes) < JAVA_6) {
        bytes = newer(classes, bytes);
        changed++;
      }
      to.putNextEntry(new JarEntry(entry.getName()));
      to.write(bytes);
      to.closeEntry();
    }
    return changed;
  }

  /** Returns the major version of a class, or a high one if the bytes are not a class. */
  private static int version(byte[] bytes) {
    boolean isClass =
        bytes.length > 8
            && ((bytes[0] & 0xff) << 24
                    | (bytes[1] & 0xff) << 16
                    | (bytes[2] & 0xff) << 8
                    | bytes[3] & 0xff)
                == MAGIC;
    return isClass ? (bytes[6] & 0xff) << 8 | bytes[7] & 0xff : Integer.MAX_VALUE;
  }

  private static byte[] newer(ClassFile classes, byte[] bytes) {
    ClassModel model = classes.parse(bytes);
    ClassTransform version =
        ClassTransform.endHandler(builder -> builder.withVersion(ClassFile.JAVA_8_VERSION, 0));
    return classes.transformClass(
        model, ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL).andThen(version));
  }
}
