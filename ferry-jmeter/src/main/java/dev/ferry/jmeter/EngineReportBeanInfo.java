package dev.ferry.jmeter;

import java.beans.PropertyDescriptor;
import org.apache.jmeter.testbeans.BeanInfoSupport;

/** Describes the fields of {@link EngineReport} to JMeter's window. */
public final class EngineReportBeanInfo extends BeanInfoSupport {
  public EngineReportBeanInfo() {
    super(EngineReport.class);
    String[] names = {"folder", "engines", "seconds"};
    createPropertyGroup("report", names);
    for (String name : names) {
      PropertyDescriptor property = property(name);
      property.setValue(NOT_UNDEFINED, Boolean.TRUE);
      property.setValue(DEFAULT, "");
    }
  }
}
