/**
 * Tables as text: values separated by commas or tabs.
 *
 * <p>Source: RFC 4180; numbers as Python's csv and float write them.
 */
package org.hyperslab.convert.table;
