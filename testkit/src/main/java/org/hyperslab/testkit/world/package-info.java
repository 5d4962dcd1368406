/**
 * A simulated world: threads of which one runs at a time, chosen by a seed; virtual time; processes
 * that can be killed; disks that lose what was not forced. What runs in it is the code that
 * programs run.
 */
package org.hyperslab.testkit.world;
