/** What all callbacks use: files by name, objects by path, transfers of elements. */
package org.hyperslab.plugins.libhdf5.bridge;
