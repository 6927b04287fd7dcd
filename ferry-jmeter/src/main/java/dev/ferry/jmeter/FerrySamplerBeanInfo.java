package dev.ferry.jmeter;

import dev.ferry.load.OperationName;
import java.beans.PropertyDescriptor;
import java.util.stream.Stream;
import org.apache.jmeter.testbeans.BeanInfoSupport;

/** Describes the fields of {@link FerrySampler} to JMeter's window. */
public final class FerrySamplerBeanInfo extends BeanInfoSupport {
  public FerrySamplerBeanInfo() {
    super(FerrySampler.class);
    createPropertyGroup("server", new String[] {"address", "carrier", "tokenFile", "caFile"});
    createPropertyGroup("transfer", new String[] {"operation", "path", "size", "chunkSize"});
    text("address", "ferry://127.0.0.1");
    text("carrier", "");
    text("tokenFile", "");
    text("caFile", "");
    PropertyDescriptor operation = text("operation", OperationName.GET.text());
    operation.setValue(
        TAGS, Stream.of(OperationName.values()).map(OperationName::text).toArray(String[]::new));
    text("path", "");
    text("size", "");
    text("chunkSize", "");
  }

  private PropertyDescriptor text(String name, String value) {
    PropertyDescriptor property = property(name);
    property.setValue(NOT_UNDEFINED, Boolean.TRUE);
    property.setValue(DEFAULT, value);
    return property;
  }
}
