// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.healer.spi;

import io.hearth.healer.model.DataNodes;

/** The DataNodes of the cluster. */
public interface LiveDataNodes {

    /** Asks the NameNode; where it may not, the DataNodes that were met in block locations so far. */
    Observed<DataNodes> list();
}
