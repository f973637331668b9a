// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
/** Adapter: Alluxio's local page store, in a jar of its own that the DataNode's class path never has. */
@NullMarked
package io.hearth.datanode.alluxio;

import org.jspecify.annotations.NullMarked;
