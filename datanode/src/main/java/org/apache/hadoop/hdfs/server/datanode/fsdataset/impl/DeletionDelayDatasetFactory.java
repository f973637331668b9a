// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import org.jspecify.annotations.NullMarked;

/** {@link HearthDatasetFactory} by the name that it had when the jar was the deletion delay alone: configurations name it. */
@NullMarked
public final class DeletionDelayDatasetFactory extends HearthDatasetFactory {}
