import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The width of an element in pixels, also as it changes; 0 before it is known. */
export function useWidth(): { place: RefObject<HTMLDivElement | null>; width: number } {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const measure = () => setWidth(Math.round(element.getBoundingClientRect().width))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { place, width }
}
