package org.hyperslab.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks tests that take long because they try very many cases. {@code ./check} skips them; {@code
 * ./check --full}, which CI runs, includes them. Each campaign also has a short test of the same
 * code.
 *
 * @see Effort
 */
@Tag("campaign")
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Campaign {}
