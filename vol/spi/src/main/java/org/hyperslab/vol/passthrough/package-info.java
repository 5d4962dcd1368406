/**
 * Connectors that pass operations to another one: {@code tracing} measures them, {@code async} runs
 * them in the background, {@code caching} keeps what was read. They stack in any order, as in
 * {@code "tracing | async | native"}.
 */
@NullMarked
package org.hyperslab.vol.passthrough;

import org.jspecify.annotations.NullMarked;
