/** The command {@code ls}: lists folders, groups and elements. */
package org.hyperslab.tools.listing;
