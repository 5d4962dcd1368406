import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;

/**
 * Replaces call sites that the JVM would link at every start by ordinary code: switches over types,
 * and {@code equals}, {@code hashCode} and {@code toString} of records. For each of these the JVM
 * generates a class at its first call, which the ahead-of-time cache does not keep (it keeps
 * lambdas and string concatenation), and the first compiler, which short commands run with, makes
 * slow code of them.
 *
 * <p>The code does what {@link java.lang.runtime.SwitchBootstraps#typeSwitch} and {@link
 * java.lang.runtime.ObjectMethods} specify. A switch with labels other than types and strings stays
 * as it is.
 *
 * <p>An object rewrites one class.
 */
final class DirectCallSites implements ClassTransform {

  private static final ClassDesc SWITCHES = ClassDesc.of("java.lang.runtime.SwitchBootstraps");
  private static final ClassDesc RECORDS = ClassDesc.of("java.lang.runtime.ObjectMethods");
  private static final ClassDesc OBJECTS = ClassDesc.of("java.util.Objects");
  private static final ClassDesc BUILDER = ClassDesc.of("java.lang.StringBuilder");
  private static final ClassDesc OUT_OF_BOUNDS =
      ClassDesc.of("java.lang.IndexOutOfBoundsException");

  private final ClassModel model;
  private final ClassDesc self;
  private final List<InvokeDynamicInstruction> switches = new ArrayList<>();

  private DirectCallSites(ClassModel model) {
    this.model = model;
    this.self = model.thisClass().asSymbol();
  }

  /** Returns whether a class has such call sites, or others that are linked by the same means. */
  static boolean isIn(ClassModel model) {
    return model.findAttribute(Attributes.bootstrapMethods()).stream()
        .flatMap(all -> all.bootstrapMethods().stream())
        .map(each -> each.bootstrapMethod().asSymbol())
        .anyMatch(method -> method.owner().equals(RECORDS) || method.owner().equals(SWITCHES));
  }

  /**
   * Replaces the call sites of a class.
   *
   * @param classes resolves classes: stack maps need common superclasses of types
   */
  static byte[] direct(ClassFile classes, ClassModel model) {
    return classes.transformClass(model, new DirectCallSites(model));
  }

  @Override
  public void accept(ClassBuilder builder, ClassElement element) {
    if (element instanceof MethodModel method && hasSites(method)) {
      builder.transformMethod(method, MethodTransform.transformingCode(direct()));
    } else {
      builder.with(element);
    }
  }

  private static boolean hasSites(MethodModel method) {
    return method.code().stream()
        .flatMap(CodeModel::elementStream)
        .anyMatch(each -> each instanceof InvokeDynamicInstruction site && isReplaced(site));
  }

  /** Adds the methods that the replaced switches call. */
  @Override
  public void atEnd(ClassBuilder builder) {
    int flags = ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC;
    for (int i = 0; i < switches.size(); i++) {
      InvokeDynamicInstruction site = switches.get(i);
      builder.withMethodBody(
          switchName(i), site.typeSymbol(), flags, code -> typeSwitch(code, site.bootstrapArgs()));
    }
  }

  private static String switchName(int i) {
    return "$typeSwitch$" + i;
  }

  private CodeTransform direct() {
    return (code, element) -> {
      if (element instanceof InvokeDynamicInstruction site && isReplaced(site)) {
        replace(code, site);
      } else {
        code.with(element);
      }
    };
  }

  private static boolean isReplaced(InvokeDynamicInstruction site) {
    DirectMethodHandleDesc bootstrap = site.bootstrapMethod();
    return bootstrap.owner().equals(RECORDS)
        || bootstrap.owner().equals(SWITCHES)
            && bootstrap.methodName().equals("typeSwitch")
            && site.bootstrapArgs().stream().allMatch(DirectCallSites::isKnownLabel);
  }

  private static boolean isKnownLabel(ConstantDesc label) {
    return label instanceof String || label instanceof ClassDesc type && !type.isPrimitive();
  }

  private void replace(CodeBuilder code, InvokeDynamicInstruction site) {
    if (site.bootstrapMethod().owner().equals(RECORDS)) {
      recordMethod(code, site);
    } else {
      boolean inInterface = model.flags().has(AccessFlag.INTERFACE);
      code.invokestatic(self, switchName(switches.size()), site.typeSymbol(), inInterface);
      switches.add(site);
    }
  }

  /**
   * The body of {@code static int f(T selector, int first)}: the index of the first label from
   * {@code first} on that the selector matches, the number of labels if there is none, -1 for null.
   */
  private static void typeSwitch(CodeBuilder code, List<ConstantDesc> labels) {
    Label[] tests = new Label[labels.size() + 1];
    List<SwitchCase> cases = new ArrayList<>();
    for (int i = 0; i < tests.length; i++) {
      tests[i] = code.newLabel();
      cases.add(SwitchCase.of(i, tests[i]));
    }
    Label notNull = code.newLabel();
    Label outside = code.newLabel();
    code.aload(0).ifnonnull(notNull).iconst_m1().ireturn().labelBinding(notNull);
    code.iload(1).tableswitch(0, labels.size(), outside, cases);
    for (int i = 0; i < labels.size(); i++) {
      code.labelBinding(tests[i]);
      switch (labels.get(i)) {
        case ClassDesc type -> code.aload(0).instanceOf(type);
        case String text ->
            code.loadConstant(text)
                .aload(0)
                .invokevirtual(
                    ConstantDescs.CD_String,
                    "equals",
                    MethodTypeDesc.of(ConstantDescs.CD_boolean, ConstantDescs.CD_Object));
        default -> throw new IllegalStateException("label: " + labels.get(i));
      }
      code.ifeq(tests[i + 1]).loadConstant(i).ireturn();
    }
    code.labelBinding(tests[labels.size()]).loadConstant(labels.size()).ireturn();
    code.labelBinding(outside);
    code.new_(OUT_OF_BOUNDS).dup();
    code.invokespecial(OUT_OF_BOUNDS, "<init>", ConstantDescs.MTD_void).athrow();
  }

  /** Replaces a call whose arguments, the record first, are on the stack. */
  private void recordMethod(CodeBuilder code, InvokeDynamicInstruction site) {
    List<ConstantDesc> arguments = site.bootstrapArgs();
    List<DirectMethodHandleDesc> fields =
        arguments.stream().skip(2).map(each -> (DirectMethodHandleDesc) each).toList();
    switch (site.name().stringValue()) {
      case "equals" -> equality(code, fields);
      case "hashCode" -> hash(code, fields);
      case "toString" -> text(code, fields, (String) arguments.get(1));
      default -> throw new IllegalStateException("method of a record: " + site);
    }
  }

  private static ClassDesc type(DirectMethodHandleDesc field) {
    return field.invocationType().returnType();
  }

  private void equality(CodeBuilder code, List<DirectMethodHandleDesc> fields) {
    int other = code.allocateLocal(TypeKind.REFERENCE);
    int one = code.allocateLocal(TypeKind.REFERENCE);
    Label differs = code.newLabel();
    Label end = code.newLabel();
    code.astore(other).astore(one);
    code.aload(other).instanceOf(self).ifeq(differs);
    code.aload(other).checkcast(self).astore(other);
    for (DirectMethodHandleDesc field : fields) {
      ClassDesc type = type(field);
      code.aload(one).getfield(self, field.methodName(), type);
      code.aload(other).getfield(self, field.methodName(), type);
      switch (TypeKind.from(type)) {
        case BOOLEAN, BYTE, CHAR, SHORT, INT -> code.if_icmpne(differs);
        case LONG -> code.lcmp().ifne(differs);
        case FLOAT, DOUBLE ->
            code.invokestatic(
                    boxOf(type), "compare", MethodTypeDesc.of(ConstantDescs.CD_int, type, type))
                .ifne(differs);
        case REFERENCE ->
            code.invokestatic(
                    OBJECTS,
                    "equals",
                    MethodTypeDesc.of(
                        ConstantDescs.CD_boolean, ConstantDescs.CD_Object, ConstantDescs.CD_Object))
                .ifeq(differs);
        case VOID -> throw new IllegalStateException("field: " + field);
      }
    }
    code.iconst_1().goto_(end).labelBinding(differs).iconst_0().labelBinding(end);
  }

  private void hash(CodeBuilder code, List<DirectMethodHandleDesc> fields) {
    int one = code.allocateLocal(TypeKind.REFERENCE);
    code.astore(one).iconst_0();
    for (DirectMethodHandleDesc field : fields) {
      ClassDesc type = type(field);
      code.loadConstant(31).imul();
      code.aload(one).getfield(self, field.methodName(), type);
      if (type.isPrimitive()) {
        code.invokestatic(boxOf(type), "hashCode", MethodTypeDesc.of(ConstantDescs.CD_int, type));
      } else {
        code.invokestatic(
            OBJECTS, "hashCode", MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_Object));
      }
      code.iadd();
    }
  }

  private void text(CodeBuilder code, List<DirectMethodHandleDesc> fields, String names) {
    String simple = simpleName();
    String[] name = names.isEmpty() ? new String[0] : names.split(";");
    int one = code.allocateLocal(TypeKind.REFERENCE);
    code.astore(one).new_(BUILDER).dup();
    code.invokespecial(BUILDER, "<init>", ConstantDescs.MTD_void);
    for (int i = 0; i < name.length; i++) {
      append(
          code.loadConstant((i == 0 ? simple + "[" : ", ") + name[i] + "="),
          ConstantDescs.CD_String);
      ClassDesc type = type(fields.get(i));
      code.aload(one).getfield(self, name[i], type);
      append(code, type);
    }
    String end = name.length == 0 ? simple + "[]" : "]";
    append(code.loadConstant(end), ConstantDescs.CD_String);
    code.invokevirtual(BUILDER, "toString", MethodTypeDesc.of(ConstantDescs.CD_String));
  }

  /** Returns what {@link Class#getSimpleName} does. */
  private String simpleName() {
    return model.findAttribute(Attributes.innerClasses()).stream()
        .flatMap(inner -> inner.classes().stream())
        .filter(inner -> inner.innerClass().asSymbol().equals(self))
        .flatMap(inner -> inner.innerName().stream())
        .map(Utf8Entry::stringValue)
        .findFirst()
        .orElse(self.displayName());
  }

  private static void append(CodeBuilder code, ClassDesc type) {
    ClassDesc parameter =
        switch (TypeKind.from(type)) {
          case BYTE, SHORT -> ConstantDescs.CD_int;
          case REFERENCE -> type.equals(ConstantDescs.CD_String) ? type : ConstantDescs.CD_Object;
          default -> type;
        };
    code.invokevirtual(BUILDER, "append", MethodTypeDesc.of(BUILDER, parameter));
  }

  private static ClassDesc boxOf(ClassDesc primitive) {
    return switch (TypeKind.from(primitive)) {
      case BOOLEAN -> ConstantDescs.CD_Boolean;
      case BYTE -> ConstantDescs.CD_Byte;
      case CHAR -> ConstantDescs.CD_Character;
      case SHORT -> ConstantDescs.CD_Short;
      case INT -> ConstantDescs.CD_Integer;
      case LONG -> ConstantDescs.CD_Long;
      case FLOAT -> ConstantDescs.CD_Float;
      case DOUBLE -> ConstantDescs.CD_Double;
      case REFERENCE, VOID -> throw new IllegalStateException("no box: " + primitive);
    };
  }
}
