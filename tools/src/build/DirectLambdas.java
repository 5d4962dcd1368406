import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DirectMethodHandleDesc.Kind;
import java.lang.constant.MethodTypeDesc;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Replaces lambda expressions and method references by objects of ordinary classes. The JVM creates
 * the object of a lambda expression that captures variables through a chain of method handles. Its
 * interpreter and its first compiler follow that chain at every evaluation, and allocate by a call
 * of the runtime; a program whose code the second compiler has not reached spends much of its time
 * there.
 *
 * <p>The class of a site has a field for each captured variable, and calls the method that the
 * compiler made of the lambda's body. It belongs to the nest of the class with the site, so that it
 * may call private methods. An object that captures nothing is created once. Sites that need boxing
 * or other conversions between parameters stay as they are.
 *
 * <p>An object rewrites one class.
 */
final class DirectLambdas {

  private static final ClassDesc METAFACTORY = ClassDesc.of("java.lang.invoke.LambdaMetafactory");

  private final ClassFile classes;
  private final ClassModel model;
  private final ClassDesc self;
  private final Map<String, byte[]> made = new LinkedHashMap<>();

  private DirectLambdas(ClassFile classes, ClassModel model) {
    this.classes = classes;
    this.model = model;
    this.self = model.thisClass().asSymbol();
  }

  /**
   * A rewritten class.
   *
   * @param bytes the class, which calls the others
   * @param host the internal name of the nest's host, which does not list the others yet
   * @param made the classes of its sites, by internal name
   */
  record Rewritten(byte[] bytes, String host, Map<String, byte[]> made) {}

  /** Replaces the sites of a class. */
  static Rewritten direct(ClassFile classes, ClassModel model) {
    DirectLambdas lambdas = new DirectLambdas(classes, model);
    byte[] bytes =
        classes.transformClass(model, ClassTransform.transformingMethodBodies(lambdas.direct()));
    return new Rewritten(bytes, internalName(lambdas.host()), lambdas.made);
  }

  /** Returns a class that lists more members of its nest. */
  static byte[] withMembers(ClassFile classes, byte[] host, List<String> more) {
    ClassModel model = classes.parse(host);
    List<ClassDesc> members =
        Stream.concat(
                model.findAttribute(Attributes.nestMembers()).stream()
                    .flatMap(known -> known.nestMembers().stream())
                    .map(known -> known.asSymbol()),
                more.stream().map(ClassDesc::ofInternalName))
            .toList();
    return classes.transformClass(
        model,
        ClassTransform.dropping(element -> element instanceof NestMembersAttribute)
            .andThen(
                ClassTransform.endHandler(
                    builder -> builder.with(NestMembersAttribute.ofSymbols(members)))));
  }

  private ClassDesc host() {
    return model
        .findAttribute(Attributes.nestHost())
        .map(host -> host.nestHost().asSymbol())
        .orElse(self);
  }

  private CodeTransform direct() {
    return (code, element) -> {
      Site site = element instanceof InvokeDynamicInstruction call ? site(call) : null;
      if (site == null) {
        code.with(element);
      } else {
        ClassDesc type = ClassDesc.ofInternalName(internalName(self) + "$$L" + made.size());
        made.put(internalName(type), classOf(type, site));
        code.invokestatic(type, "make", site.captures);
      }
    };
  }

  /**
   * A site.
   *
   * @param captures takes the captured variables and returns the interface
   * @param name the name of the interface's method
   * @param erased its type in the interface
   * @param exact its type with the arguments of type parameters
   * @param body the method that it calls
   */
  private record Site(
      MethodTypeDesc captures,
      String name,
      MethodTypeDesc erased,
      MethodTypeDesc exact,
      DirectMethodHandleDesc body) {

    /** Returns whether parameters and result need no conversion but casts. */
    boolean isPlain() {
      MethodTypeDesc called = body.invocationType();
      int captured = captures.parameterCount();
      boolean plain =
          !body.owner().isArray()
              && called.parameterCount() == captured + exact.parameterCount()
              && (isVoid(erased.returnType())
                  || isAlike(called.returnType(), erased.returnType()));
      for (int i = 0; plain && i < exact.parameterCount(); i++) {
        plain =
            isAlike(erased.parameterType(i), exact.parameterType(i))
                && isAlike(exact.parameterType(i), called.parameterType(captured + i));
      }
      for (int i = 0; plain && i < captured; i++) {
        plain = isAlike(captures.parameterType(i), called.parameterType(i));
      }
      return plain;
    }

    private static boolean isVoid(ClassDesc type) {
      return type.equals(ConstantDescs.CD_void);
    }

    private static boolean isAlike(ClassDesc one, ClassDesc other) {
      return one.equals(other) || !one.isPrimitive() && !other.isPrimitive();
    }
  }

  /** Returns what is known of a site; null if it stays as it is. */
  private static Site site(InvokeDynamicInstruction call) {
    DirectMethodHandleDesc bootstrap = call.bootstrapMethod();
    if (!bootstrap.owner().equals(METAFACTORY) || !bootstrap.methodName().equals("metafactory")) {
      return null;
    }
    Site site =
        new Site(
            call.typeSymbol(),
            call.name().stringValue(),
            (MethodTypeDesc) call.bootstrapArgs().get(0),
            (MethodTypeDesc) call.bootstrapArgs().get(2),
            (DirectMethodHandleDesc) call.bootstrapArgs().get(1));
    return site.isPlain() ? site : null;
  }

  private byte[] classOf(ClassDesc type, Site site) {
    MethodTypeDesc constructor = site.captures.changeReturnType(ConstantDescs.CD_void);
    boolean once = constructor.parameterCount() == 0;
    int constant = ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL;
    return classes.build(
        type,
        builder -> {
          builder
              .withVersion(model.majorVersion(), model.minorVersion())
              .withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER | ClassFile.ACC_SYNTHETIC)
              .withInterfaceSymbols(site.captures.returnType())
              .with(NestHostAttribute.of(host()));
          for (int i = 0; i < constructor.parameterCount(); i++) {
            builder.withField("c" + i, constructor.parameterType(i), constant);
          }
          builder
              .withMethodBody(
                  ConstantDescs.INIT_NAME,
                  constructor,
                  ClassFile.ACC_PRIVATE,
                  code -> constructor(code, type, constructor))
              .withMethodBody(
                  "make",
                  site.captures,
                  ClassFile.ACC_STATIC,
                  code -> make(code, type, constructor, once))
              .withMethodBody(
                  site.name,
                  site.erased,
                  ClassFile.ACC_PUBLIC,
                  code -> method(code, type, site));
          if (once) {
            builder
                .withField("ONCE", type, constant | ClassFile.ACC_STATIC)
                .withMethodBody(
                    ConstantDescs.CLASS_INIT_NAME,
                    ConstantDescs.MTD_void,
                    ClassFile.ACC_STATIC,
                    code ->
                        code.new_(type)
                            .dup()
                            .invokespecial(type, ConstantDescs.INIT_NAME, constructor)
                            .putstatic(type, "ONCE", type)
                            .return_());
          }
        });
  }

  private static void constructor(CodeBuilder code, ClassDesc type, MethodTypeDesc captures) {
    code.aload(0)
        .invokespecial(ConstantDescs.CD_Object, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void);
    for (int i = 0; i < captures.parameterCount(); i++) {
      ClassDesc kind = captures.parameterType(i);
      code.aload(0).loadLocal(TypeKind.from(kind), code.parameterSlot(i));
      code.putfield(type, "c" + i, kind);
    }
    code.return_();
  }

  private static void make(
      CodeBuilder code, ClassDesc type, MethodTypeDesc constructor, boolean once) {
    if (once) {
      code.getstatic(type, "ONCE", type).areturn();
      return;
    }
    code.new_(type).dup();
    for (int i = 0; i < constructor.parameterCount(); i++) {
      code.loadLocal(TypeKind.from(constructor.parameterType(i)), code.parameterSlot(i));
    }
    code.invokespecial(type, ConstantDescs.INIT_NAME, constructor).areturn();
  }

  /** The method of the interface: calls the body with the captured variables and its parameters. */
  private static void method(CodeBuilder code, ClassDesc type, Site site) {
    boolean creates = site.body.kind() == Kind.CONSTRUCTOR;
    if (creates) {
      code.new_(site.body.owner()).dup();
    }
    for (int i = 0; i < site.captures.parameterCount(); i++) {
      code.aload(0).getfield(type, "c" + i, site.captures.parameterType(i));
    }
    for (int i = 0; i < site.exact.parameterCount(); i++) {
      ClassDesc exact = site.exact.parameterType(i);
      code.loadLocal(TypeKind.from(site.erased.parameterType(i)), code.parameterSlot(i));
      if (!exact.equals(site.erased.parameterType(i))) {
        code.checkcast(exact);
      }
    }
    call(code, site.body);
    ClassDesc result = site.body.invocationType().returnType();
    if (Site.isVoid(site.erased.returnType())) {
      switch (TypeKind.from(result).slotSize()) {
        case 1 -> code.pop();
        case 2 -> code.pop2();
        default -> {}
      }
      code.return_();
    } else {
      code.return_(TypeKind.from(site.erased.returnType()));
    }
  }

  private static void call(CodeBuilder code, DirectMethodHandleDesc body) {
    ClassDesc owner = body.owner();
    String name = body.methodName();
    MethodTypeDesc type = MethodTypeDesc.ofDescriptor(body.lookupDescriptor());
    switch (body.kind()) {
      case STATIC, INTERFACE_STATIC -> code.invokestatic(owner, name, type, body.isOwnerInterface());
      case VIRTUAL, SPECIAL -> code.invokevirtual(owner, name, type);
      case INTERFACE_VIRTUAL, INTERFACE_SPECIAL -> code.invokeinterface(owner, name, type);
      case CONSTRUCTOR -> code.invokespecial(owner, ConstantDescs.INIT_NAME, type);
      default -> throw new IllegalArgumentException("body of a lambda: " + body);
    }
  }

  private static String internalName(ClassDesc type) {
    String descriptor = type.descriptorString();
    return descriptor.substring(1, descriptor.length() - 1);
  }
}
