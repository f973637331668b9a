// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.balancer.heat.HeatModel;
import org.openjdk.jol.info.GraphLayout;

/** Measures the heap that the heat model holds, by walking everything that can be reached from it. */
final class HeatModelFootprint {

    private HeatModelFootprint() {}

    /** Bytes for each region after a few updates, everything that the model keeps alive included. */
    static double bytesPerRegion() {
        SyntheticServerReports reports =
                new SyntheticServerReports(SyntheticServerReports.SERVERS, SyntheticServerReports.REGIONS);
        HeatModel model = HeatUpdateBenchmark.newModel();
        for (int update = 0; update < 3; update++) {
            model.update(reports.next(), reports.nowMs());
        }
        return (double) GraphLayout.parseInstance(model).totalSize() / model.size();
    }
}
