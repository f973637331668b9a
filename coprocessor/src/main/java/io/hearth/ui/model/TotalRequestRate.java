// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.ui.model;

import io.hearth.common.model.LoadDimension;
import io.hearth.common.model.LoadVector;

/** Reads and writes taken together. */
final class TotalRequestRate {

    private TotalRequestRate() {}

    static double perSecond(LoadVector load) {
        return load.get(LoadDimension.READS) + load.get(LoadDimension.WRITES);
    }
}
