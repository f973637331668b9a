// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.slo.event.ClusterEvent.Amount;
import io.hearth.slo.event.EventKind;
import io.hearth.slo.objective.WindowCounts;
import io.hearth.slo.report.MonthReport;
import io.hearth.slo.report.MonthReport.Availability;
import io.hearth.slo.report.MonthReport.Day;
import io.hearth.slo.report.MonthReport.HeatMap;
import io.hearth.slo.report.MonthReport.Minute;
import io.hearth.slo.report.MonthReport.Sla;
import io.hearth.slo.report.MonthReport.Timeline;
import java.util.Collection;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** The report of a month of the SLO watch as a JSON document. What is unknown is missing. Stateless. */
final class SloReportJson {

    private SloReportJson() {}

    static JsonObject of(MonthReport report) {
        JsonObject json = new JsonObject();
        json.addProperty("month", report.month().toString());
        json.add("availability", array(report.availability(), SloReportJson::availability));
        json.add("sla", array(report.sla(), SloReportJson::sla));
        json.add("days", array(report.days(), SloReportJson::day));
        json.add("heatMap", heatMap(report.heatMap()));
        json.add("worstMinutes", array(report.worstMinutes(), SloReportJson::minute));
        json.add("timeline", array(report.timeline(), SloReportJson::timeline));
        return json;
    }

    private static <T> JsonArray array(Collection<T> all, Function<T, JsonElement> element) {
        JsonArray array = new JsonArray();
        all.forEach(one -> array.add(element.apply(one)));
        return array;
    }

    private static JsonObject availability(Availability row) {
        JsonObject json = new JsonObject();
        json.addProperty("kind", row.kind().toString());
        row.objective().ifPresent(objective -> {
            json.addProperty("objective", objective.name());
            json.addProperty("promise", objective.toString());
        });
        row.budgetLeftShare().ifPresent(share -> json.addProperty("budgetLeftShare", share));
        json.add("month", counts(row.month()));
        json.add("days", array(row.days(), SloReportJson::counts));
        return json;
    }

    private static JsonObject counts(WindowCounts counts) {
        JsonObject json = new JsonObject();
        json.addProperty("due", counts.due());
        json.addProperty("good", counts.good());
        json.addProperty("minutes", counts.minutes());
        counts.goodShare().ifPresent(share -> json.addProperty("availability", share));
        return json;
    }

    private static JsonObject sla(Sla sla) {
        JsonObject json = new JsonObject();
        json.addProperty("minutes", sla.minutes());
        if (sla.minutes() > 0) {
            json.addProperty("write", sla.write());
            json.addProperty("read", sla.read());
            sla.total().ifPresent(total -> json.addProperty("total", total));
            json.addProperty("mostFaultyDataNodes", sla.mostFaulty());
        }
        return json;
    }

    private static JsonObject day(Day day) {
        JsonObject json = new JsonObject();
        JsonObject p99Micros = new JsonObject();
        new TreeMap<>(day.p99Micros())
                .forEach((kind, within) -> within.ifPresent(micros -> p99Micros.addProperty(kind.toString(), micros)));
        json.add("p99Micros", p99Micros);
        json.addProperty("eventMinutes", day.eventMinutes());
        JsonArray events = new JsonArray();
        new TreeMap<>(day.events()).forEach((kind, amounts) -> new TreeMap<>(amounts).forEach((by, amount) -> {
            JsonObject row = new JsonObject();
            row.addProperty("kind", kind.toString());
            row.addProperty("by", by.name());
            add(row, kind, amount);
            events.add(row);
        }));
        json.add("events", events);
        return json;
    }

    private static void add(JsonObject row, EventKind kind, Amount amount) {
        row.addProperty("count", amount.count());
        if (!kind.sizeUnit().isEmpty()) {
            row.addProperty(kind.sizeUnit(), amount.size());
        }
    }

    private static JsonObject timeline(Timeline timeline) {
        JsonObject json = new JsonObject();
        json.addProperty("timeoutMs", timeline.timeoutMs());
        json.addProperty("reads", timeline.reads());
        json.addProperty("unanswered", timeline.unanswered());
        json.addProperty("stale", timeline.stale());
        timeline.staleShare().ifPresent(share -> json.addProperty("staleShare", share));
        timeline.micros().p50().ifPresent(micros -> json.addProperty("p50Micros", micros));
        timeline.micros().p99().ifPresent(micros -> json.addProperty("p99Micros", micros));
        timeline.micros().p999().ifPresent(micros -> json.addProperty("p999Micros", micros));
        return json;
    }

    private static JsonObject heatMap(HeatMap map) {
        JsonObject json = new JsonObject();
        json.addProperty("startMs", map.startMs());
        json.addProperty("columnMs", map.columnMs());
        json.addProperty("serversLeftOut", map.leftOut());
        json.add("servers", array(map.servers(), server -> {
            JsonObject row = new JsonObject();
            row.addProperty("server", server.name());
            JsonArray due = new JsonArray();
            JsonArray bad = new JsonArray();
            server.cells().forEach(cell -> {
                due.add(cell.due());
                bad.add(cell.bad());
            });
            row.add("due", due);
            row.add("bad", bad);
            return row;
        }));
        return json;
    }

    private static JsonObject minute(Minute minute) {
        JsonObject json = new JsonObject();
        json.addProperty("startMs", minute.startMs());
        JsonArray kinds = new JsonArray();
        new TreeMap<>(minute.kinds()).forEach((kind, counts) -> {
            JsonObject row = new JsonObject();
            row.addProperty("kind", kind.toString());
            row.addProperty("due", counts.due());
            row.addProperty("bad", counts.bad());
            counts.p99Micros().ifPresent(micros -> row.addProperty("p99Micros", micros));
            kinds.add(row);
        });
        json.add("kinds", kinds);
        JsonArray servers = new JsonArray();
        minute.servers().forEach(servers::add);
        json.add("servers", servers);
        json.add("events", array(minute.events(), event -> {
            JsonObject row = new JsonObject();
            row.addProperty("atMs", event.atMs());
            row.addProperty("kind", event.kind().toString());
            row.addProperty("where", event.where());
            add(row, event.kind(), event.amount());
            row.addProperty("by", event.by().name());
            row.addProperty("text", event.text());
            return row;
        }));
        json.addProperty("eventsLeftOut", minute.eventsLeftOut());
        return json;
    }
}
