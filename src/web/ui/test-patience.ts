import { cleanup, configure, fireEvent } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// A second, as usual, is not enough while other work is done on the machine.
configure({ asyncUtilTimeout: 15_000 })

// The files of a worker share a process. Each gets its own modules of the product, since some of them keep
// state, such as the toast that is shown; what is in node_modules stays loaded.
vi.resetModules()
document.body.replaceChildren()
// The storage of the browser tab outlives a file, too.
localStorage.clear()
sessionStorage.clear()

// The library does its part automatically only in the first file of a process.
afterEach(() => {
  // React, which stays loaded, tells of no selection while it believes that a mouse button is held.
  for (const root of document.body.children) fireEvent.mouseUp(root)
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
