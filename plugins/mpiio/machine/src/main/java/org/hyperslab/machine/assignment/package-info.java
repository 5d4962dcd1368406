/**
 * The rank that aggregates each part of a file ({@link
 * org.hyperslab.machine.assignment.DomainAssignment}): the traffic between ranks and file domains,
 * the rules, and the linear assignment problem.
 */
package org.hyperslab.machine.assignment;
