import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;

/**
 * Converts classes that are older than Java 6 (picocli's are of Java 5) to the version of Java 8,
 * with the stack maps that it requires. The JVM's ahead-of-time cache accepts no older class, and a
 * class that it does not hold is parsed and verified again at every start.
 */
final class NewerClasses {

  /** The first version that the cache takes: JVM specification, table 4.1-A. */
  private static final int JAVA_6 = 50;

  private NewerClasses() {}

  /** Returns whether the cache would refuse a class because of its version. */
  static boolean isOld(ClassModel model) {
    return model.majorVersion() < JAVA_6;
  }

  /**
   * Converts a class.
   *
   * @param classes resolves classes: stack maps need common superclasses of types
   */
  static byte[] newer(ClassFile classes, ClassModel model) {
    ClassTransform version =
        ClassTransform.endHandler(builder -> builder.withVersion(ClassFile.JAVA_8_VERSION, 0));
    return classes.transformClass(
        model, ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL).andThen(version));
  }
}
