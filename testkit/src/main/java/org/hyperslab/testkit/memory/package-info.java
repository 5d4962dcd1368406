/**
 * A connector that keeps files in maps: plain, slow and obviously right. It is what contract suites
 * are tried on, and the model with which other connectors are compared.
 */
package org.hyperslab.testkit.memory;
