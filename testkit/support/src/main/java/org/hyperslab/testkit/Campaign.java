package org.hyperslab.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks tests that take long because they try very many cases. {@code ./check} leaves them out;
 * {@code ./check --full}, which CI runs, has them. What a campaign covers has a short test too.
 *
 * @see Effort
 */
@Tag("campaign")
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Campaign {}
