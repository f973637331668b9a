// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.bench;

import io.hearth.balancer.config.HeatConfig;
import io.hearth.balancer.heat.HeatModel;
import io.hearth.balancer.heat.ingest.ServerReport;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures one update of the heat model: 100,000 regions on 1,000 servers, every report newer than the last. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 20)
@Fork(value = 3, jvmArgsAppend = "-Xmx2g")
public class HeatUpdateBenchmark {

    private final SyntheticServerReports reports =
            new SyntheticServerReports(SyntheticServerReports.SERVERS, SyntheticServerReports.REGIONS);
    private final HeatModel model = newModel();
    private Collection<ServerReport> next = List.of();

    static HeatModel newModel() {
        return new HeatModel(HeatConfig.of(300_000, 60_000));
    }

    @Setup(Level.Iteration)
    public void advance() {
        next = reports.next();
    }

    @Benchmark
    public int update() {
        model.update(next, reports.nowMs());
        return model.size();
    }
}
