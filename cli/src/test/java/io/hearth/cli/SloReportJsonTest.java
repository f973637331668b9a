// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hearth.slo.event.ClusterEvent;
import io.hearth.slo.event.ClusterEvent.Amount;
import io.hearth.slo.event.ClusterEvent.By;
import io.hearth.slo.event.EventKind;
import io.hearth.slo.objective.Objective;
import io.hearth.slo.objective.WindowCounts;
import io.hearth.slo.probe.ProbeKind;
import io.hearth.slo.report.MonthReport;
import io.hearth.slo.report.MonthReport.Availability;
import io.hearth.slo.report.MonthReport.Cell;
import io.hearth.slo.report.MonthReport.Day;
import io.hearth.slo.report.MonthReport.HeatMap;
import io.hearth.slo.report.MonthReport.KindInMinute;
import io.hearth.slo.report.MonthReport.Minute;
import io.hearth.slo.report.MonthReport.Server;
import io.hearth.slo.report.MonthReport.Sla;
import io.hearth.slo.report.MonthReport.Timeline;
import io.hearth.slo.report.MonthReport.TimelinePercentiles;
import java.math.BigDecimal;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SloReportJsonTest {

    @Test
    void itHasEverythingAndLeavesOutWhatIsUnknown() {
        WindowCounts known = new WindowCounts(1_000, 995, 10);
        WindowCounts unknown = new WindowCounts(0, 0, 0);
        MonthReport report = new MonthReport(
                YearMonth.of(2026, 11),
                List.of(
                        new Availability(ProbeKind.HDFS_READ, Optional.empty(), List.of(unknown), unknown),
                        new Availability(
                                ProbeKind.GET,
                                Optional.of(new Objective("gets", ProbeKind.GET, new BigDecimal("99"), 50_000, 30)),
                                List.of(known),
                                known)),
                List.of(new Sla(0, 0, 0, OptionalDouble.empty(), 0), new Sla(5, 0.9, 0.95, OptionalDouble.of(0.9), 2)),
                List.of(new Day(
                        Map.of(ProbeKind.GET, OptionalLong.of(8), ProbeKind.PUT, OptionalLong.empty()),
                        2,
                        Map.of(
                                EventKind.BLOCKS_MOVED, Map.of(By.HEARTH, new Amount(2, 300)),
                                EventKind.REGIONS_MOVED,
                                        Map.of(By.OTHERS, new Amount(4, 0), By.HEARTH, new Amount(5, 0))))),
                new HeatMap(7, 21_600_000, 1, List.of(new Server("h\"1", List.of(new Cell(9, 4)))), 3),
                List.of(new Minute(
                        60_000,
                        Map.of(
                                ProbeKind.GET, new KindInMinute(60, 5, OptionalLong.empty()),
                                ProbeKind.PUT, new KindInMinute(60, 1, OptionalLong.of(70))),
                        List.of("h\"1"),
                        List.of(ClusterEvent.of(59_000, EventKind.SERVER_GONE, "h\"1", By.OTHERS)),
                        3)),
                List.of(
                        new Timeline(
                                10,
                                1_000,
                                1,
                                999,
                                OptionalDouble.of(1),
                                new TimelinePercentiles(OptionalLong.of(5), OptionalLong.of(6), OptionalLong.empty())),
                        new Timeline(
                                100,
                                1,
                                1,
                                0,
                                OptionalDouble.empty(),
                                new TimelinePercentiles(
                                        OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty()))));

        assertThat(SloReportJson.of(report))
                .hasToString("{\"month\":\"2026-11\",\"availability\":["
                        + "{\"kind\":\"hdfs-read\",\"month\":{\"due\":0,\"good\":0,\"minutes\":0},"
                        + "\"days\":[{\"due\":0,\"good\":0,\"minutes\":0}]},"
                        + "{\"kind\":\"get\",\"objective\":\"gets\",\"promise\":\"99 % of gets under 50 ms, 30 days\","
                        + "\"budgetLeftShare\":0.5,"
                        + "\"month\":{\"due\":1000,\"good\":995,\"minutes\":10,\"availability\":0.995},"
                        + "\"days\":[{\"due\":1000,\"good\":995,\"minutes\":10,\"availability\":0.995}]}],"
                        + "\"sla\":[{\"minutes\":0},"
                        + "{\"minutes\":5,\"write\":0.9,\"read\":0.95,\"total\":0.9,\"mostFaultyDataNodes\":2}],"
                        + "\"days\":[{\"p99Micros\":{\"get\":8},\"eventMinutes\":2,\"events\":["
                        + "{\"kind\":\"regions moved\",\"by\":\"HEARTH\",\"count\":5},"
                        + "{\"kind\":\"regions moved\",\"by\":\"OTHERS\",\"count\":4},"
                        + "{\"kind\":\"blocks moved\",\"by\":\"HEARTH\",\"count\":2,\"bytes\":300}]}],"
                        + "\"heatMap\":{\"startMs\":7,\"columnMs\":21600000,\"serversLeftOut\":3,"
                        + "\"servers\":[{\"server\":\"h\\\"1\",\"due\":[9],\"bad\":[4]}]},"
                        + "\"worstMinutes\":[{\"startMs\":60000,\"kinds\":["
                        + "{\"kind\":\"get\",\"due\":60,\"bad\":5},{\"kind\":\"put\",\"due\":60,\"bad\":1,\"p99Micros\":70}],"
                        + "\"servers\":[\"h\\\"1\"],"
                        + "\"events\":[{\"atMs\":59000,\"kind\":\"server gone\",\"where\":\"h\\\"1\",\"count\":1,"
                        + "\"by\":\"OTHERS\",\"text\":\"RegionServer crashed or stopped: h\\\"1\"}],"
                        + "\"eventsLeftOut\":3}],"
                        + "\"timeline\":[{\"timeoutMs\":10,\"reads\":1000,\"unanswered\":1,\"stale\":999,\"staleShare\":1.0,"
                        + "\"p50Micros\":5,\"p99Micros\":6},"
                        + "{\"timeoutMs\":100,\"reads\":1,\"unanswered\":1,\"stale\":0}]}");
    }
}
