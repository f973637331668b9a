// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.doctor.hbase;

import io.hearth.doctor.model.Finding;
import io.hearth.doctor.model.Finding.Fix;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** Findings as JSON, whose names stay. docs/api.md has them. */
public final class FindingJson {

    private FindingJson() {}

    public static JsonArray of(List<Finding> findings) {
        JsonArray all = new JsonArray();
        findings.forEach(finding -> all.add(of(finding)));
        return all;
    }

    private static JsonObject of(Finding finding) {
        JsonObject json = new JsonObject();
        json.addProperty("check", finding.check());
        json.addProperty("severity", finding.severity().name());
        JsonArray where = new JsonArray();
        finding.where().forEach(where::add);
        json.add("where", where);
        json.addProperty("what", finding.what());
        json.addProperty("cost", finding.cost());
        JsonArray fixes = new JsonArray();
        finding.fixes().forEach(fix -> fixes.add(of(fix)));
        json.add("fixes", fixes);
        json.addProperty("source", finding.source());
        return json;
    }

    private static JsonObject of(Fix fix) {
        JsonObject json = new JsonObject();
        if (fix instanceof Fix.ConfigLine line) {
            json.addProperty("file", line.role().file());
            json.addProperty("process", line.role().word());
            json.addProperty("key", line.key());
            json.addProperty("value", line.value());
            json.addProperty("line", line.xml());
            json.addProperty("then", line.effect().words());
        } else if (fix instanceof Fix.Command command) {
            json.addProperty("command", command.command());
        } else if (fix instanceof Fix.Advice advice) {
            json.addProperty("advice", advice.words());
        }
        return json;
    }
}
