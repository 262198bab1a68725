import { useEffect, useRef, useState } from 'react'

/** For a strip that scrolls sideways: whether something of it is hidden at its end, which fades there. */
export function useCutStrip() {
  const ref = useRef<HTMLDivElement>(null)
  const [isCut, setCut] = useState(false)
  const look = () => {
    const strip = ref.current
    if (strip) setCut(strip.scrollWidth - strip.clientWidth - strip.scrollLeft > 1)
  }
  useEffect(() => {
    const strip = ref.current
    if (!strip) return
    const observer = new ResizeObserver(look)
    // What it contains comes later, and changes its own width.
    for (const part of [strip, ...strip.children]) observer.observe(part)
    return () => observer.disconnect()
  })
  return { ref, isCut, onScroll: look }
}
