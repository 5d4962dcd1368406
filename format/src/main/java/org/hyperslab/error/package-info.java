/** The typed errors of Hyperslab: what failed, where, expected, actual, and what to do. */
package org.hyperslab.error;
