/**
 * A connector that keeps files in maps: simple, slow and obviously correct. Contract suites are
 * tested on it, and other connectors are compared with it.
 */
package org.hyperslab.testkit.memory;
