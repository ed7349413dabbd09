// trycua's cua-driver in this process (its native SDK), telemetry off.
process.env.CUA_TELEMETRY_ENABLED = 'false'
process.env.CUA_DRIVER_RS_TELEMETRY_ENABLED = 'false'

export async function openCua() {
  const { CuaDriver, GetWindowStateInput } = await import('@trycua/cua-driver')
  const driver = CuaDriver.create(undefined)
  return {
    state: (pid, windowId) =>
      driver.getWindowState(
        GetWindowStateInput.new({ pid, windowId: BigInt(windowId), includeScreenshot: true, includeAccessibilityTree: true }),
      ),
    stop: () => driver.shutdown(),
  }
}
