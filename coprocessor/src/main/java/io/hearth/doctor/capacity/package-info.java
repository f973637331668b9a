// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** Arithmetic of memory, files and disks of a cluster, by its own numbers: what fits, and what comes of what does not. Pure. */
@org.jspecify.annotations.NullMarked
package io.hearth.doctor.capacity;
