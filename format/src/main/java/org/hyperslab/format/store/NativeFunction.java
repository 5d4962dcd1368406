package org.hyperslab.format.store;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.Optional;
import org.hyperslab.error.InvalidUseException;
import org.hyperslab.error.UnsupportedFeatureException;

/**
 * A C function whose parameters are integers and pointers and whose result is an integer, a pointer
 * or void. Variadic functions, floating-point numbers and structures by value are not supported.
 *
 * <p>A shape of native call that is new to a JVM has it make some nine classes, about 10 ms of a
 * cold start. So all functions share two shapes, of eight and of ten pointers, whose last ones are
 * null if the function has fewer parameters. Every 64-bit ABI that the linker knows allows that:
 *
 * <ul>
 *   <li>Integers and pointers go through the same registers, of which a function reads its own and,
 *       of an int, the lower half (System V x86-64 psABI 3.2.3; AAPCS64 6.8.2; Apple's ABI of
 *       arm64). {@link #value} extends the sign, as the ABIs want it that look at the upper half.
 *   <li>On the stack an argument takes eight bytes (System V: from the seventh on, AAPCS64: from
 *       the ninth), and the caller takes them off again. Apple's packs there, on arm64, ints by
 *       four bytes: a function of more than eight parameters must not have two of these in a row
 *       from the ninth on.
 *   <li>An int that is returned is the lower half of the result.
 * </ul>
 *
 * <p>Thread rule: safe for use by all threads that the function allows.
 */
public final class NativeFunction {

  private static final int FEW = 8;
  private static final int MOST = 10;

  private final MethodHandle function;
  private final int parameters;

  private NativeFunction(MethodHandle function, int parameters) {
    this.function = function;
    this.parameters = parameters;
  }

  /**
   * {@return the function at an address}
   *
   * @param address the function's address
   * @param parameters how many it has
   * @throws InvalidUseException if those are more than ten
   * @throws UnsupportedFeatureException if pointers are not 8 bytes long here, or the JVM denies
   *     native access
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
   * {@return a function of the C library, if it has one of that name and the given number of
   * parameters}
   *
   * @param name the function's name
   * @param parameters the number of parameters
   * @throws UnsupportedFeatureException as {@link #at} says
   */
  public static Optional<NativeFunction> ofCLibrary(String name, int parameters) {
    return Linker.nativeLinker().defaultLookup().find(name).map(address -> at(address, parameters));
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
   * @param arguments of integers {@link #value}, and memory outside the heap, which stays alive
   *     meanwhile
   * @return the result, of which the lower half counts if it is an int; arbitrary if there is none
   * @throws InvalidUseException if there are not as many arguments as parameters
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
