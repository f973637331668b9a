// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.demo.report;

import com.google.gson.Gson;
import io.hearth.testkit.measure.ServerRates;
import io.hearth.testkit.measure.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The timeline as the JSON that the page's script draws from; safe inside a script element. */
final class ChartData {

    private ChartData() {}

    static String json(DemoReport report) {
        SortedSet<String> hosts = new TreeSet<>(ServerTable.HOST_ORDER);
        report.samples().forEach(sample -> hosts.addAll(sample.ratesByHost().keySet()));
        Map<String, Object> data = new LinkedHashMap<>();
        data.put(
                "seconds",
                report.samples().stream().map(s -> seconds(s.elapsedMs())).toList());
        data.put("events", report.events().stream().map(ChartData::event).toList());
        data.put("hosts", hosts.stream().map(host -> host(report, host)).toList());
        data.put("reads", series(report, hosts, (sample, host) -> rate(sample, host, ServerRates::readsPerSecond)));
        data.put("writes", series(report, hosts, (sample, host) -> rate(sample, host, ServerRates::writesPerSecond)));
        data.put(
                "locality",
                series(
                        report,
                        hosts,
                        (sample, host) -> percent(sample.localityByHost().get(host))));
        return new Gson().newBuilder().serializeNulls().create().toJson(data);
    }

    private interface Value {
        @Nullable Double of(Timeline.Sample sample, String host);
    }

    private static List<List<@Nullable Double>> series(DemoReport report, SortedSet<String> hosts, Value value) {
        List<List<@Nullable Double>> series = new ArrayList<>();
        for (String host : hosts) {
            List<@Nullable Double> values = new ArrayList<>();
            report.samples().forEach(sample -> values.add(value.of(sample, host)));
            series.add(values);
        }
        return series;
    }

    private static @Nullable Double rate(Timeline.Sample sample, String host, Function<ServerRates, Double> rate) {
        ServerRates rates = sample.ratesByHost().get(host);
        return rates == null ? null : rounded(rate.apply(rates));
    }

    private static @Nullable Double percent(@Nullable Double share) {
        return share == null ? null : rounded(share * 100);
    }

    private static double rounded(double value) {
        return Math.round(value * 10) / 10.0;
    }

    private static double seconds(long elapsedMs) {
        return rounded(elapsedMs / 1000.0);
    }

    private static Map<String, Object> event(Timeline.Event event) {
        return Map.of("second", seconds(event.elapsedMs()), "label", event.label());
    }

    private static Map<String, Object> host(DemoReport report, String host) {
        return Map.of("name", host, "role", report.rolesByHost().getOrDefault(host, ""));
    }
}
