/** What the commands share that walk through a file. */
package org.hyperslab.tools.walk;
