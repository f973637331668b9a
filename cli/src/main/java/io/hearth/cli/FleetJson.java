// SPDX-License-Identifier: Apache-2.0
// Copyright the Hearth authors
package io.hearth.cli;

import io.hearth.common.model.Quantiles;
import io.hearth.fleet.model.ClusterHealth;
import io.hearth.fleet.model.FleetRow;
import io.hearth.fleet.model.FleetRow.BudgetLeft;
import io.hearth.fleet.model.FleetRow.DoctorSummary;
import java.util.List;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** The clusters of a fleet as a JSON document. What is unknown is missing, with why. Stateless. */
final class FleetJson {

    private FleetJson() {}

    static JsonObject of(List<FleetRow> rows) {
        JsonArray clusters = new JsonArray();
        rows.forEach(row -> clusters.add(of(row)));
        JsonObject json = new JsonObject();
        json.add("clusters", clusters);
        return json;
    }

    private static JsonObject of(FleetRow row) {
        JsonObject json = new JsonObject();
        json.addProperty("cluster", row.cluster());
        json.addProperty("answered", row.health().ifKnown().isPresent());
        row.health().ifKnown().ifPresent(health -> add(health, json));
        row.health().whyUnknown().ifPresent(why -> json.addProperty("problem", why));
        row.budgets().ifKnown().ifPresent(budgets -> json.add("budgets", budgets(budgets)));
        addWhy(json, "budgetsProblem", row.budgets().whyUnknown().orElse(""));
        row.doctor().ifKnown().ifPresent(doctor -> json.add("doctor", of(doctor)));
        addWhy(json, "doctorProblem", row.doctor().whyUnknown().orElse(""));
        return json;
    }

    private static void addWhy(JsonObject json, String name, String why) {
        if (!why.isEmpty()) {
            json.addProperty(name, why);
        }
    }

    private static void add(ClusterHealth health, JsonObject json) {
        json.addProperty("atMs", health.atMs());
        json.addProperty("master", health.master());
        json.addProperty("byMaster", health.byMaster());
        json.addProperty("servers", health.servers());
        if (health.silentServers() > 0) {
            json.addProperty("silentServers", health.silentServers());
        }
        json.addProperty("regions", health.regions());
        Quantiles byServer = health.locality();
        JsonObject locality = new JsonObject();
        locality.addProperty("servers", byServer.count());
        byServer.min().ifPresent(min -> locality.addProperty("min", min));
        byServer.quantile(ClusterHealth.LOWER_QUARTILE)
                .ifPresent(share -> locality.addProperty("lowerQuartile", share));
        if (byServer.count() > 0) {
            locality.addProperty("serversBelow80Percent", byServer.below(ClusterHealth.LOCAL));
        }
        json.add("locality", locality);
        JsonObject balance = new JsonObject();
        new TreeMap<>(health.balance()).forEach((dimension, one) -> {
            JsonObject ofDimension = new JsonObject();
            ofDimension.addProperty("maxOverMean", one.maxOverMean());
            ofDimension.addProperty("uneven", one.isUneven());
            balance.add(dimension.jsonName(), ofDimension);
        });
        json.add("balance", balance);
    }

    private static JsonArray budgets(List<BudgetLeft> budgets) {
        JsonArray all = new JsonArray();
        budgets.forEach(budget -> {
            JsonObject one = new JsonObject();
            one.addProperty("objective", budget.objective());
            one.addProperty("leftShare", budget.leftShare());
            all.add(one);
        });
        return all;
    }

    private static JsonObject of(DoctorSummary doctor) {
        JsonObject json = new JsonObject();
        json.addProperty("errors", doctor.errors());
        json.addProperty("warnings", doctor.warnings());
        doctor.worst().ifPresent(worst -> {
            JsonObject one = new JsonObject();
            one.addProperty("severity", worst.severity().name());
            one.addProperty("check", worst.check());
            one.addProperty("what", worst.what());
            json.add("worst", one);
        });
        return json;
    }
}
