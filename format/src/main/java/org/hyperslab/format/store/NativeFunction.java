package org.hyperslab.format.store;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * Calls a C function whose parameters are integers and pointers and whose result is an integer, a
 * pointer or void. Variadic functions, floating-point numbers and structures by value are not
 * supported.
 *
 * <p>Each new shape of native call makes a JVM generate several classes, which lengthens a cold
 * start. Therefore all functions share two shapes, of eight and of ten pointers, of which the last
 * ones are null if the function has fewer parameters. Every 64-bit ABI that the linker supports
 * permits that:
 *
 * <ul>
 *   <li>Integers and pointers are passed in the same registers, of which a function reads its own
 *       and, for an int, the lower half (System V x86-64 psABI 3.2.3; AAPCS64 6.8.2; Apple's ABI of
 *       arm64). {@link #value} extends the sign, as required by ABIs that use the upper half.
 *   <li>On the stack an argument takes eight bytes (System V: from the seventh on, AAPCS64: from
 *       the ninth), and the caller removes them. Apple's ABI on arm64 packs ints there in four
 *       bytes each: a function of more than eight parameters must not have two consecutive ints
 *       from the ninth on.
 *   <li>A returned int is the lower half of the result.
 * </ul>
 *
 * <p>Thread rule: any number of threads, if the function permits it.
 */
public final class NativeFunction {

  private static final int FEW = 8;
  private static final int MOST = 10;

  /** Calls simple functions of the C library in place of the linker; null for the linker. */
  private static final AtomicReference<Caller> CALLER = new AtomicReference<>();

  private final MethodHandle function;
  private final int parameters;

  /**
   * Calls functions of the C library in a process that has another way to do so than the JVM's
   * linker, whose first function lengthens a cold start.
   */
  @FunctionalInterface
  public interface Caller {

    /**
     * {@return the int that a function of two words returns, or, if that is -1, the negated errno}
     *
     * @param name the name of the function, which may be variadic from the third parameter on
     * @param first its first argument
     * @param second its second argument, which the function ignores if it has one parameter
     */
    int call(String name, long first, long second);
  }

  private NativeFunction(MethodHandle function, int parameters) {
    this.function = function;
    this.parameters = parameters;
  }

  /**
   * {@return the function at an address}
   *
   * @param address the function's address
   * @param parameters the number of its parameters
   * @throws InvalidUseException if it has more than ten parameters
   * @throws UnsupportedFeatureException if pointers are not 8 bytes long, or the JVM denies native
   *     access
   */
  public static NativeFunction at(MemorySegment address, int parameters) {
    if (parameters < 0 || parameters > MOST) {
      throw new InvalidUseException("parameters: actual=" + parameters + ", expected=0.." + MOST);
    }
    if (ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
      throw new UnsupportedFeatureException(
          "native call: actual=pointers of "
              + ValueLayout.ADDRESS.byteSize()
              + " bytes, expected=a 64-bit platform");
    }
    MemoryLayout[] shape =
        Collections.nCopies(parameters <= FEW ? FEW : MOST, ValueLayout.ADDRESS)
            .toArray(MemoryLayout[]::new);
    FunctionDescriptor descriptor = FunctionDescriptor.of(ValueLayout.JAVA_LONG, shape);
    try {
      return new NativeFunction(
          Linker.nativeLinker().downcallHandle(address, descriptor), parameters);
    } catch (IllegalCallerException denied) {
      throw NativeAccess.denied("native call", denied);
    }
  }

  /**
   * {@return a function of the C library with the given number of parameters; empty if the library
   * has none of that name}
   *
   * @param name the function's name
   * @param parameters the number of parameters
   * @throws UnsupportedFeatureException as for {@link #at}
   */
  public static Optional<NativeFunction> ofCLibrary(String name, int parameters) {
    return Linker.nativeLinker().defaultLookup().find(name).map(address -> at(address, parameters));
  }

  /**
   * Has the process call what it opens, closes and locks files with in another way.
   *
   * @param caller what calls the functions
   */
  public static void callBy(Caller caller) {
    CALLER.set(caller);
  }

  /** Returns how the process calls simple functions; empty for the linker. */
  static Optional<Caller> caller() {
    return Optional.ofNullable(CALLER.get());
  }

  /**
   * {@return an integer or a handle as an argument}
   *
   * @param number the value
   */
  public static MemorySegment value(long number) {
    return MemorySegment.ofAddress(number);
  }

  /**
   * Calls the function.
   *
   * @param arguments integers, by {@link #value}, and memory outside the heap, which is kept alive
   *     during the call
   * @return the result, of which only the lower half is valid for an int; unspecified for void
   * @throws InvalidUseException if the number of arguments is not that of parameters
   */
  public long call(MemorySegment... arguments) {
    if (arguments.length != parameters) {
      throw new InvalidUseException(
          "arguments: actual=" + arguments.length + ", expected=" + parameters);
    }
    try {
      return parameters <= FEW ? callFew(arguments) : callMost(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("native call: actual=" + e, e);
    }
  }

  private long callFew(MemorySegment[] a) throws Throwable {
    return (long)
        function.invokeExact(
            or0(a, 0), or0(a, 1), or0(a, 2), or0(a, 3), or0(a, 4), or0(a, 5), or0(a, 6), or0(a, 7));
  }

  private long callMost(MemorySegment[] a) throws Throwable {
    return (long)
        function.invokeExact(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], or0(a, 9));
  }

  private static MemorySegment or0(MemorySegment[] arguments, int index) {
    return index < arguments.length ? arguments[index] : MemorySegment.NULL;
  }
}
