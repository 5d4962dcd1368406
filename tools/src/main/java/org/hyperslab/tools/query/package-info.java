/** The command that finds elements by their values. */
package org.hyperslab.tools.query;
