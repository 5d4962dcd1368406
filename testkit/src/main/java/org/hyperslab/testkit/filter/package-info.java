/** Filters for tests, found by the service loader. */
package org.hyperslab.testkit.filter;
