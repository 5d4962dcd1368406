package org.hyperslab.plugins.configured.rule;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.hyperslab.plugins.configured.document.Place;

/**
 * A value that a configuration file gives to one option.
 *
 * <p>Thread rule: immutable.
 *
 * @param <O> the options that a program passes
 * @param <B> their builder
 * @param key the option, as it is spelled in the file
 * @param value the value, as text
 * @param place where it stands
 * @param isChosen tells of a program's options whether the program has chosen this one: whether it
 *     differs from the default
 * @param change sets the option
 */
public record Setting<O, B>(
    String key, String value, Place place, Predicate<O> isChosen, Consumer<B> change) {}
