// trycua's cua-driver in this process (its native SDK), telemetry off.
process.env.CUA_TELEMETRY_ENABLED = 'false'
process.env.CUA_DRIVER_RS_TELEMETRY_ENABLED = 'false'

export async function openCua() {
  const { ActionTarget, ClickInput, ClickPosition, CuaDriver, GetWindowStateInput, InputDeliveryMode } = await import('@trycua/cua-driver')
  const driver = CuaDriver.create(undefined)
  return {
    state: (pid, windowId) =>
      driver.getWindowState(
        GetWindowStateInput.new({ pid, windowId: BigInt(windowId), includeScreenshot: true, includeAccessibilityTree: true }),
      ),
    click: (pid, windowId, elementToken) =>
      driver.click(
        ClickInput.new({
          target: ActionTarget.Window.new({ pid, windowId: BigInt(windowId) }),
          position: ClickPosition.Element.new({ elementToken }),
          deliveryMode: InputDeliveryMode.Background,
        }),
      ),
    stop: () => driver.shutdown(),
  }
}
