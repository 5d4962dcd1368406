package org.hyperslab.testkit.fuzz;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reloads this project's classes. Classes under test get a call to {@link Coverage#hit} at the
 * start of every method and at every branch target.
 *
 * <p>Thread rule: any thread.
 */
final class CoverageLoader extends ClassLoader {

  private static final String OURS = "org.hyperslab.";
  private static final List<String> INSTRUMENTED =
      List.of("org.hyperslab.format.", "org.hyperslab.plugins.nativevol.", "org.hyperslab.tools.");
  private static final ClassDesc COVERAGE = ClassDesc.of(Coverage.class.getName());
  private static final MethodTypeDesc HIT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  private final ClassFile classFile;

  /**
   * Creates a loader whose parent is the loader of this class, with which it shares {@link
   * Coverage} and {@link FuzzTarget}.
   */
  CoverageLoader() {
    super(CoverageLoader.class.getClassLoader());
    classFile =
        ClassFile.of(
            ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(getParent())
                    .orElse(ClassHierarchyResolver.defaultResolver())));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean shared =
        name.equals(Coverage.class.getName()) || name.equals(FuzzTarget.class.getName());
    if (!name.startsWith(OURS) || shared) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    URL place = getParent().getResource(name.replace('.', '/') + ".class");
    if (place == null) {
      throw new ClassNotFoundException(name);
    }
    try (InputStream in = place.openStream()) {
      byte[] bytes = in.readAllBytes();
      byte[] used = INSTRUMENTED.stream().anyMatch(name::startsWith) ? instrumented(bytes) : bytes;
      return defineClass(name, used, 0, used.length);
    } catch (IOException failure) {
      throw new ClassNotFoundException(name, failure);
    }
  }

  private byte[] instrumented(byte[] bytes) {
    ClassModel model = classFile.parse(bytes);
    int salt = model.thisClass().asInternalName().hashCode();
    int[] places = {salt};
    ClassTransform transform =
        (builder, element) -> {
          if (element instanceof MethodModel method && method.code().isPresent()) {
            CodeTransform code = counting(targets(method.code().orElseThrow()), places);
            builder.transformMethod(method, MethodTransform.transformingCode(code));
          } else {
            builder.with(element);
          }
        };
    return classFile.transformClass(model, transform);
  }

  private static Set<Label> targets(CodeModel code) {
    Set<Label> targets = new HashSet<>();
    for (CodeElement element : code) {
      switch (element) {
        case BranchInstruction branch -> targets.add(branch.target());
        case TableSwitchInstruction choice -> {
          targets.add(choice.defaultTarget());
          choice.cases().stream().map(SwitchCase::target).forEach(targets::add);
        }
        case LookupSwitchInstruction choice -> {
          targets.add(choice.defaultTarget());
          choice.cases().stream().map(SwitchCase::target).forEach(targets::add);
        }
        case ExceptionCatch handler -> targets.add(handler.handler());
        default -> {}
      }
    }
    return targets;
  }

  private static CodeTransform counting(Set<Label> targets, int[] places) {
    return new CodeTransform() {
      @Override
      public void atStart(CodeBuilder builder) {
        hit(builder);
      }

      @Override
      public void accept(CodeBuilder builder, CodeElement element) {
        builder.with(element);
        if (element instanceof LabelTarget here && targets.contains(here.label())
            || element instanceof BranchInstruction branch && conditional(branch)) {
          hit(builder);
        }
      }

      private boolean conditional(BranchInstruction branch) {
        return branch.opcode() != Opcode.GOTO && branch.opcode() != Opcode.GOTO_W;
      }

      private void hit(CodeBuilder builder) {
        places[0] = places[0] * 31 + 17;
        int place = (places[0] ^ places[0] >>> 15) & 0xFFFF;
        builder.loadConstant(place).invokestatic(COVERAGE, "hit", HIT);
      }
    };
  }
}
